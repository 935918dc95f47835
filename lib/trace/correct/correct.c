#include "trace/correct/correct.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "trace/correct/repair.h"
#include "trace/correct/session.h"
#include "trace/event/ranks.h"

void ordo_correct_report_free(struct ordo_correct_report *report)
{
    ordo_clocks_free(&report->clocks);
    free(report->ranks);
    free(report->evidence.ranks);
    free(report->evidence.numbering.all);
    ordo_devices_free(&report->devices);
    *report = (struct ordo_correct_report){0};
}

/* Adds an event to the count of its rank. The ranks of the report are in the order of their first events. */
static int count_event(struct ordo_correct_report *report, struct ordo_ranks *ranks, const struct ordo_event *event,
                       struct ordo_error *error)
{
    int before = ranks->room, at = ordo_ranks_add(ranks, event->rank);
    struct ordo_correct_rank *all = report->ranks;
    if (at >= 0 && ranks->room > before)
        all = realloc(report->ranks, (size_t)ranks->room * sizeof *all);
    if (at < 0 || !all)
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "%d ranks: out of memory", ranks->count);
    report->ranks = all;
    if (at == report->rank_count)
        all[report->rank_count++] = (struct ordo_correct_rank){event->rank, 0, INT64_MAX, INT64_MIN};
    struct ordo_correct_rank *rank = &all[at];
    rank->events++;
    rank->first_ns = event->time_ns < rank->first_ns ? event->time_ns : rank->first_ns;
    rank->last_ns = event->time_ns > rank->last_ns ? event->time_ns : rank->last_ns;
    report->events++;
    return ORDO_OK;
}

static int by_rank(const void *a, const void *b)
{
    int32_t x = ((const struct ordo_correct_rank *)a)->rank, y = ((const struct ordo_correct_rank *)b)->rank;
    return x < y ? -1 : x > y;
}

/* Writes an event. A span becomes a begin and an end if the form of the output has no spans. */
static void put_stamped_event(struct ordo_writer *writer, const struct ordo_event *event,
                              const struct ordo_event_stamp *stamp, const struct ordo_event_stamp *end)
{
    if (event->kind != ORDO_EVENT_SPAN || writer->form->spans) {
        writer->form->put(writer, event, stamp, end);
        return;
    }
    struct ordo_event begins = ordo_match_half(event, true), ends = ordo_match_half(event, false);
    writer->form->put(writer, &begins, stamp, NULL);
    writer->form->put(writer, &ends, end, NULL);
}

/* The state of writing a trace. */
struct passage {
    struct ordo_writer writer;
    struct ordo_repair *repair; /* NULL: do not repair */
    struct ordo_match *match;
    struct ordo_ranks ranks;
    struct ordo_correct_report *report;
};

/* Takes an event into the counts of violations; a span of a collective as its begin and its end. */
static int match_event(struct passage *passage, const struct ordo_event *event, const struct ordo_event_stamp *stamp,
                       const struct ordo_event_stamp *end, struct ordo_error *error)
{
    const struct ordo_numbering *numbering = &passage->report->evidence.numbering;
    if (event->kind != ORDO_EVENT_SPAN || !event->collective)
        return ordo_numbering_match(numbering, passage->match, event, stamp, 0, error);
    struct ordo_event begins = ordo_match_half(event, true), ends = ordo_match_half(event, false);
    int code = ordo_numbering_match(numbering, passage->match, &begins, stamp, 0, error);
    return code ? code : ordo_numbering_match(numbering, passage->match, &ends, end, 0, error);
}

static int pass(struct passage *passage, const struct ordo_trace_of_file *file, struct ordo_error *error)
{
    struct ordo_event event = file->event;
    struct ordo_event_stamp stamp = file->stamp, end = file->end;
    int code = ORDO_OK;
    if (file->reader.corrected)
        return ordo_reader_refuse(&file->reader, error, "is in global time already: give the trace as it was recorded");
    if (event.kind != ORDO_EVENT_META) {
        passage->report->changed += stamp.global_ns != event.time_ns - event.moved_ns;
        passage->report->on_devices += event.moved_ns != 0 && stamp.global_ns == event.time_ns;
        if (passage->repair)
            ordo_repair_apply(passage->repair, &event, &stamp, &end);
        code = count_event(passage->report, &passage->ranks, &event, error);
        if (!code)
            code = match_event(passage, &event, &stamp, &end, error);
    }
    bool arrow = passage->writer.form->spans && (event.kind == ORDO_EVENT_SEND || event.kind == ORDO_EVENT_RECV);
    if (!code && arrow)
        event.flow = ordo_match_number(passage->match, &event);
    put_stamped_event(&passage->writer, &event, &stamp, &end);
    return code;
}

static int pass_all(struct passage *passage, struct ordo_traces *traces, struct ordo_error *error)
{
    const struct ordo_trace_of_file *file;
    int code = passage->writer.form->begin(&passage->writer, error), more = 0;
    if (code)
        return code;
    while (!code && (more = ordo_traces_next(traces, &file, error)) == 1)
        code = pass(passage, file, error);
    code = code ? code : more;
    if (!code && passage->writer.form->finish && passage->report->events > 0)
        code = passage->writer.form->finish(&passage->writer, error);
    passage->writer.form->end(&passage->writer);
    if (!code && passage->writer.failed)
        code = ordo_error_set(error, ORDO_E_SYSTEM, 0, "processes of the output: out of memory");
    return code;
}

/* True if both files have the same form and the same line of column names. */
static bool is_alike(const struct ordo_reader *a, const struct ordo_reader *b)
{
    if (a->form != b->form || !a->form->head || a->form->of_one_rank)
        return a->form == b->form;
    struct ordo_text x = a->form->head(a), y = b->form->head(b);
    return x.length == y.length && memcmp(x.at, y.at, x.length) == 0;
}

/* Chooses the form of the output, and decides whether the text of an event can be passed on unchanged. */
static void choose_form(struct ordo_writer *writer, const struct ordo_traces *traces, const struct ordo_form *to)
{
    const struct ordo_reader *first = &traces->files[0].reader;
    writer->form = to ? to : first->form;
    if (!writer->form->begin)
        writer->form = ordo_form_find("csv");
    writer->same = writer->form == first->form;
    writer->merges = first->form->of_one_rank && traces->count > 1;
    for (int i = 1; i < traces->count; i++)
        writer->same &= is_alike(first, &traces->files[i].reader);
    if (writer->same) {
        writer->first = first;
        writer->base_ns = first->base_ns;
    }
    if (writer->same && first->form->head)
        writer->head = first->form->head(first);
}

static int check_folder(const struct ordo_writer *writer, struct ordo_error *error)
{
    if (!writer->form->is_folder || writer->folder)
        return ORDO_OK;
    return ordo_error_set(error, ORDO_E_INVALID, 0, "the form %s is a folder of files: give --output a name for it",
                          writer->form->name);
}

/* Returns the number of ranks whose clocks are known. No other rank has events, because they would be refused. */
static uint32_t known_ranks(struct ordo_clocks *clocks)
{
    uint32_t ranks = 0;
    for (int i = 0; i < clocks->count; i++)
        ranks += ordo_clocks_curve(clocks, i) != NULL;
    return ranks;
}

static int write_trace(struct ordo_traces *traces, const struct ordo_correct_options *options,
                       struct ordo_repair *repair, FILE *stream, struct ordo_correct_report *report,
                       struct ordo_error *error)
{
    struct passage passage = {
        .writer = {.stream = stream, .columns = options->traces.columns, .folder = options->folder},
        .repair = repair,
        .match = ordo_match_create(NULL, NULL, NULL),
        .report = report};
    passage.writer.readers = calloc((size_t)traces->count + 1, sizeof *passage.writer.readers);
    if (!passage.match || !passage.writer.readers) {
        ordo_match_free(passage.match);
        free(passage.writer.readers);
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "out of memory");
    }
    for (int i = 0; i < traces->count; i++)
        passage.writer.readers[passage.writer.reader_count++] = &traces->files[i].reader;
    ordo_match_set_ranks(passage.match, known_ranks(traces->clocks));
    choose_form(&passage.writer, traces, options->to);
    int code = check_folder(&passage.writer, error);
    if (!code)
        code = pass_all(&passage, traces, error);
    report->causality = ordo_match_result(passage.match);
    if (report->rank_count > 0)
        qsort(report->ranks, (size_t)report->rank_count, sizeof *report->ranks, by_rank);
    ordo_ranks_free(&passage.ranks);
    ordo_match_free(passage.match);
    free(passage.writer.readers);
    return code;
}

static int correct_open(struct ordo_traces *traces, const struct ordo_correct_options *options, FILE *stream,
                        struct ordo_correct_report *report, struct ordo_error *error)
{
    struct ordo_repair *repair = NULL;
    int code = ordo_session_learn(traces, options, report, error);
    if (!code && options->causal)
        code = ordo_repair_make(&repair, traces, options, report, error);
    if (!code)
        code = ordo_traces_start(traces, &report->clocks, error);
    if (!code)
        code = write_trace(traces, options, repair, stream, report, error);
    ordo_repair_free(repair);
    if (!code && report->events == 0)
        code = ordo_error_set(error, ORDO_E_MALFORMED, 0, "%s: row 2: is missing: the trace has no event",
                              options->traces.paths[0]);
    return code;
}

int ordo_correct(const struct ordo_correct_options *options, FILE *stream, struct ordo_correct_report *report,
                 struct ordo_error *error)
{
    struct ordo_traces traces;
    *report = (struct ordo_correct_report){0};
    int code = ordo_traces_open(&traces, &options->traces, error);
    if (code)
        return code;
    code = correct_open(&traces, options, stream, report, error);
    ordo_traces_close(&traces);
    if (code)
        ordo_correct_report_free(report);
    return code;
}

static void write_offset(FILE *stream, struct ordo_clocks *clocks, int rank, int64_t local_ns)
{
    struct ordo_event_stamp stamp;
    if (!ordo_clocks_stamp(clocks, rank, local_ns, &stamp))
        return;
    /* The standard deviation of a uniform distribution between the bounds. */
    double deviation = (double)(stamp.latest_ns - stamp.earliest_ns) / sqrt(12);
    fprintf(stream, "%d,%" PRId64 ",%" PRId64 ",%.1f\n", rank, local_ns, stamp.global_ns - local_ns, deviation);
}

void ordo_correct_write_offsets(const struct ordo_correct_report *report, FILE *stream)
{
    struct ordo_clocks clocks = report->clocks;
    fprintf(stream, "location,local_ns,offset_ns,standard_deviation_ns\n");
    for (int i = 0; i < report->rank_count; i++) {
        const struct ordo_correct_rank *seen = &report->ranks[i];
        int rank = seen->rank;
        struct ordo_curve *curve = ordo_clocks_curve(&clocks, rank);
        if (!curve)
            continue;
        int64_t from = curve->pieces[0].from_ns, to = curve->pieces[curve->count - 1].from_ns;
        bool is_master = curve->count == 1;
        if (is_master || seen->first_ns < from)
            write_offset(stream, &clocks, rank, seen->first_ns);
        for (int k = 1; k < curve->count; k++)
            write_offset(stream, &clocks, rank, curve->pieces[k].from_ns);
        if (is_master || seen->last_ns > to)
            write_offset(stream, &clocks, rank, seen->last_ns);
    }
}
