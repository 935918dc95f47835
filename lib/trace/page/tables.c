#include "trace/page/tables.h"

#include <math.h>
#include <stdlib.h>

#include "trace/page/apart.h"
#include "trace/page/cells.h"

/* A row of a table, with the value by which the rows are sorted: the largest first. */
struct row {
    double value;
    size_t at;
};

static int by_gathered_value(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    return x->value < y->value ? 1 : x->value > y->value ? -1 : x->at > y->at ? 1 : x->at < y->at ? -1 : 0;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void write_call(FILE *stream, const struct ordo_analysis *analysis, size_t name)
{
    const struct ordo_call *call = &analysis->calls[name];
    fprintf(stream, "<tr data-name=\"%zu\"><td>", name);
    ordo_page_escape(stream, analysis->names.all[name]);
    fputs("</td>", stream);
    ordo_page_count_cell(stream, call->count);
    ordo_page_time_cell(stream, call->total_ns);
    ordo_page_time_cell(stream, call->total_ns / (double)call->count);
    ordo_page_time_cell(stream, call->longest_ns);
    ordo_page_real_cell(stream, 100 * ordo_call_imbalance(call, analysis->ranks.count));
    ordo_page_count_cell(stream, call->waits);
    ordo_page_time_cell(stream, call->wait_ns);
    ordo_page_time_cell(stream, call->wait_longest_ns);
    fputs("</tr>\n", stream);
}

int ordo_page_write_calls(FILE *stream, const struct ordo_analysis *analysis)
{
    struct row *rows = calloc((size_t)analysis->names.count + 1, sizeof *rows);
    size_t count = 0;
    if (!rows)
        return -1;
    for (size_t i = 0; i < analysis->call_room && i < analysis->names.count; i++)
        if (analysis->calls[i].count > 0)
            rows[count++] = (struct row){analysis->calls[i].total_ns, i};
    qsort(rows, count, sizeof *rows, by_gathered_value);
    for (size_t i = 0; i < least(count, ORDO_PAGE_ROWS_MOST); i++)
        write_call(stream, analysis, rows[i].at);
    ordo_page_rest(stream, count - least(count, ORDO_PAGE_ROWS_MOST), 9);
    if (count == 0)
        fputs("<tr class=\"rest\"><td colspan=\"9\">no call has a begin and an end</td></tr>\n", stream);
    free(rows);
    return 0;
}

/* What a rank does in collectives. */
struct late {
    uint64_t entered_last;
    double kept_ns; /* by how much it entered after the first rank, in these collectives */
};

static bool is_whole_gathering(const struct ordo_gathering *of)
{
    return of->ranks >= 2 && of->last >= 0;
}

static void count_late(const struct ordo_analysis *analysis, struct late *late)
{
    for (size_t i = 0; i < analysis->gathering_count; i++) {
        const struct ordo_gathering *of = &analysis->gatherings[i];
        if (is_whole_gathering(of)) {
            late[of->last].entered_last++;
            late[of->last].kept_ns += (double)ordo_page_apart(of->first_begin_ns, of->last_begin_ns);
        }
    }
}

static void write_rank(FILE *stream, const struct ordo_analysis *analysis, int rank, const struct late *late)
{
    fprintf(stream, "<tr data-rank=\"%d\">", analysis->ranks.all[rank]);
    ordo_page_count_cell(stream, (uint64_t)analysis->ranks.all[rank]);
    ordo_page_count_cell(stream, analysis->rank_events[rank]);
    ordo_page_count_cell(stream, late->entered_last);
    ordo_page_time_cell(stream, late->kept_ns);
    fputs("</tr>\n", stream);
}

int ordo_page_write_late(FILE *stream, const struct ordo_analysis *analysis)
{
    size_t count = (size_t)analysis->ranks.count;
    struct late *late = calloc(count + 1, sizeof *late);
    struct row *rows = calloc(count + 1, sizeof *rows);
    if (late && rows) {
        count_late(analysis, late);
        for (size_t i = 0; i < count; i++) {
            int rank = analysis->order[i];
            rows[i] = (struct row){(double)late[rank].entered_last, i};
        }
        qsort(rows, count, sizeof *rows, by_gathered_value);
        for (size_t i = 0; i < least(count, ORDO_PAGE_ROWS_MOST); i++) {
            int rank = analysis->order[rows[i].at];
            write_rank(stream, analysis, rank, &late[rank]);
        }
        ordo_page_rest(stream, count - least(count, ORDO_PAGE_ROWS_MOST), 4);
    }
    int failed = !late || !rows;
    free(late);
    free(rows);
    return failed ? -1 : 0;
}

/* Writes a collective. The row states its times, so that the timeline can show it. */
static void write_collective(FILE *stream, const struct ordo_analysis *analysis, const struct ordo_gathering *of)
{
    double begin = (double)ordo_page_apart(analysis->first_ns, of->first_begin_ns);
    double end =
        of->last_end_ns > of->first_begin_ns ? (double)ordo_page_apart(analysis->first_ns, of->last_end_ns) : begin;
    fprintf(stream, "<tr data-from=\"%.0f\" data-to=\"%.0f\"><td>", begin, end);
    ordo_page_escape(stream, analysis->names.all[of->name]);
    fputs("</td>", stream);
    ordo_page_time_cell(stream, begin);
    ordo_page_count_cell(stream, of->ranks);
    ordo_page_count_cell(stream, (uint64_t)analysis->ranks.all[of->last]);
    ordo_page_time_cell(stream, (double)ordo_page_apart(of->first_begin_ns, of->last_begin_ns));
    ordo_page_time_cell(stream, fmax(0, (double)ordo_page_apart(of->begin_latest_ns, of->begin_earliest_ns)));
    fputs("</tr>\n", stream);
}

int ordo_page_write_collectives(FILE *stream, const struct ordo_analysis *analysis)
{
    struct row *rows = calloc(analysis->gathering_count + 1, sizeof *rows);
    size_t count = 0;
    if (!rows)
        return -1;
    for (size_t i = 0; i < analysis->gathering_count; i++) {
        const struct ordo_gathering *of = &analysis->gatherings[i];
        if (is_whole_gathering(of))
            rows[count++] = (struct row){(double)ordo_page_apart(of->first_begin_ns, of->last_begin_ns), i};
    }
    qsort(rows, count, sizeof *rows, by_gathered_value);
    enum { MOST = 50 };
    for (size_t i = 0; i < least(count, MOST); i++)
        write_collective(stream, analysis, &analysis->gatherings[rows[i].at]);
    ordo_page_rest(stream, count - least(count, MOST), 6);
    if (count == 0)
        fputs("<tr class=\"rest\"><td colspan=\"6\">no collective of two ranks</td></tr>\n", stream);
    free(rows);
    return 0;
}

static void write_rank_clock(FILE *stream, const struct ordo_timeline *timeline, int rank)
{
    const struct ordo_samples *samples = &timeline->samples[rank];
    if (samples->count == 0)
        return;
    const struct ordo_sample *first = &samples->all[0], *last = &samples->all[samples->count - 1];
    double offset = (double)ordo_page_apart(first->stamp.global_ns, first->time_ns),
           local = (double)ordo_page_apart(first->time_ns, last->time_ns);
    double global = (double)ordo_page_apart(first->stamp.global_ns, last->stamp.global_ns);
    fprintf(stream, "<tr data-rank=\"%d\">", timeline->analysis->ranks.all[rank]);
    ordo_page_count_cell(stream, (uint64_t)timeline->analysis->ranks.all[rank]);
    ordo_page_time_cell(stream, offset);
    ordo_page_real_cell(stream, global != 0 ? (local - global) / global * 1e6 : 0);
    ordo_page_time_cell(stream, (double)samples->widest_ns / 2);
    fputs("</tr>\n", stream);
}

void ordo_page_write_clocks(FILE *stream, const struct ordo_timeline *timeline)
{
    const struct ordo_analysis *analysis = timeline->analysis;
    int shown = analysis->ranks.count < ORDO_PAGE_ROWS_MOST ? analysis->ranks.count : ORDO_PAGE_ROWS_MOST;
    for (int i = 0; i < shown; i++)
        write_rank_clock(stream, timeline, analysis->order[i]);
    ordo_page_rest(stream, (uint64_t)(analysis->ranks.count - shown), 4);
}

/* Writes a row about something odd, unless its count is 0. Returns the number of rows. */
static int write_odd(FILE *stream, const char *id, uint64_t count, const char *finding, const char *where)
{
    if (count == 0)
        return 0;
    fprintf(stream, "<tr data-odd=\"%s\"><td>%s</td>", id, finding);
    ordo_page_count_cell(stream, count);
    fputs("<td>", stream);
    ordo_page_escape(stream, (struct ordo_text){where, strlen(where)});
    fputs("</td></tr>\n", stream);
    return 1;
}

static int write_odd_file(FILE *stream, const struct ordo_page_file *file, const struct ordo_reader *reader)
{
    char where[4200];
    (void)snprintf(where, sizeof where, "%s: row %llu", reader->input.path, (unsigned long long)file->first_alone_row);
    int rows = write_odd(stream, "ends", file->of_kind[ORDO_EVENT_END] - file->closed,
                         "ends without a begin; the first is", where);
    rows += write_odd(stream, "begins", file->opened - file->closed, "begins without an end; they are not drawn",
                      reader->input.path);
    for (int i = 0; i < ORDO_ODDS; i++) {
        (void)snprintf(where, sizeof where, "%s: row %llu", reader->input.path,
                       (unsigned long long)reader->odds.of[i].row);
        rows += write_odd(stream, ordo_odd_key(i), reader->odds.of[i].count, ordo_odd_text(i), where);
    }
    if (!reader->form->tell)
        return rows;
    struct ordo_facts facts = reader->form->tell(reader);
    rows += write_odd(stream, "lost", facts.lost, "events lost by the recorder", reader->input.path);
    return rows + write_odd(stream, "killed", !facts.closed, "file not closed: the rank was killed, or still runs",
                            reader->input.path);
}

static int write_odd_causality(FILE *stream, const struct ordo_causality *causality)
{
    const char *of = "the whole trace";
    int rows = write_odd(stream, "unmatched", causality->unmatched, "ends of messages without the other end", of);
    rows += write_odd(stream, "before", causality->before,
                      "messages received before they were sent, by the ranks' own clocks", of);
    rows += write_odd(stream, "after", causality->after, "messages received before they were sent, in global time", of);
    rows += write_odd(stream, "certain", causality->certain, "messages that contradict the bounds of the clocks", of);
    rows += write_odd(stream, "collectives-before", causality->collectives_before,
                      "collectives left before all had entered, by the ranks' own clocks", of);
    return rows + write_odd(stream, "collectives-after", causality->collectives_after,
                            "collectives left before all had entered, in global time", of);
}

/* Writes the contradictions of causality between a rank and its device. */
static int write_odd_device(FILE *stream, const struct ordo_device *device)
{
    char where[80];
    (void)snprintf(where, sizeof where, "rank %d, device %lld", device->rank, (long long)device->number);
    int rows = write_odd(stream, "kernels-before", device->before.early + device->before.late,
                         "kernels that begin before their launch or end after a synchronisation returned, by the "
                         "device's own clock",
                         where);
    return rows + write_odd(stream, "kernels-after", device->after.early + device->after.late,
                            "kernels that begin before their launch or end after a synchronisation returned, in global "
                            "time",
                            where);
}

void ordo_page_write_odd(FILE *stream, const struct ordo_timeline *timeline, const struct ordo_traces *traces)
{
    int rows = write_odd_causality(stream, &timeline->analysis->causality);
    rows += write_odd(stream, "outside", timeline->outside, "bars, points and messages outside the drawn range of time",
                      "the timeline");
    rows += write_odd(stream, "merged-bars", timeline->result->merged_bars,
                      "short bars and points, merged with their neighbours: choose a shorter time to see them",
                      "the timeline");
    rows += write_odd(stream, "merged-messages", timeline->result->merged_arrows,
                      "messages, merged with others of the same two rows", "the timeline");
    for (size_t i = 0; traces->devices && i < traces->devices->count && i < ORDO_PAGE_ROWS_MOST; i++)
        rows += write_odd_device(stream, &traces->devices->all[i]);
    for (int i = 0; i < traces->count; i++)
        rows += write_odd_file(stream, &timeline->files[i], &traces->files[i].reader);
    if (rows == 0)
        fputs("<tr class=\"rest\"><td colspan=\"3\">nothing</td></tr>\n", stream);
}

static void write_file(FILE *stream, const struct ordo_page_file *file, const struct ordo_reader *reader)
{
    uint64_t events = 0;
    for (int kind = 0; kind < ORDO_EVENT_META; kind++)
        events += file->of_kind[kind];
    ordo_page_row_of(stream, (struct ordo_text){reader->input.path, strlen(reader->input.path)});
    ordo_page_text_cell(stream, reader->form->name);
    ordo_page_count_cell(stream, events);
    for (int kind = 0; kind < ORDO_EVENT_KINDS; kind++)
        ordo_page_count_cell(stream, file->of_kind[kind]);
    fputs("</tr>\n", stream);
}

void ordo_page_write_files(FILE *stream, const struct ordo_timeline *timeline, const struct ordo_traces *traces)
{
    for (int i = 0; i < traces->count && i < ORDO_PAGE_ROWS_MOST; i++)
        write_file(stream, &timeline->files[i], &traces->files[i].reader);
    if (traces->count > ORDO_PAGE_ROWS_MOST)
        ordo_page_rest(stream, (uint64_t)(traces->count - ORDO_PAGE_ROWS_MOST), 11);
}
