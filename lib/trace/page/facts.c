#include "trace/page/facts.h"

#include <math.h>
#include <string.h>

#include "trace/page/apart.h"
#include "trace/page/text.h"

static void write_names(FILE *stream, const struct ordo_analysis *analysis)
{
    fputs("\"names\":[", stream);
    for (uint32_t i = 0; i < analysis->names.count; i++) {
        if (i > 0)
            putc(',', stream);
        ordo_page_quote(stream, analysis->names.all[i]);
    }
    fputs("],\n\"totals_ns\":[", stream);
    for (uint32_t i = 0; i < analysis->names.count; i++)
        fprintf(stream, "%s%.0f", i ? "," : "", i < analysis->call_room ? analysis->calls[i].total_ns : 0);
    fputs("],\n", stream);
}

static void write_rows(FILE *stream, const struct ordo_page_rows *rows)
{
    fputs("\"rows\":[", stream);
    for (uint32_t i = 0; i < rows->count; i++) {
        const char *title = rows->all[i].title ? rows->all[i].title : "";
        fprintf(stream, "%s[%d,%u,", i ? "," : "", rows->all[i].rank, rows->all[i].thread);
        ordo_page_quote(stream, (struct ordo_text){title, strlen(title)});
        fputs(rows->all[i].is_device ? ",1]" : "]", stream);
    }
    fputs("],\n", stream);
}

static void write_ranks(FILE *stream, const struct ordo_page_rows *rows)
{
    fputs("\"ranks\":[", stream);
    for (uint32_t i = 0; i < rows->rank_count; i++) {
        fprintf(stream, "%s[%d,", i ? "," : "", rows->ranks[i].rank);
        ordo_page_quote(stream, (struct ordo_text){rows->ranks[i].name, strlen(rows->ranks[i].name)});
        fputs("]", stream);
    }
    fputs("],\n", stream);
}

/* Returns a distance that a plot can show. Bounds of clocks that are not known are much farther away. */
static double cut(double distance_ns)
{
    const double most = 1e15;
    return fmin(fmax(distance_ns, -most), most);
}

/* Returns the offset of the clock at a sample. */
static int64_t offset_of(const struct ordo_sample *sample)
{
    return ordo_page_apart(sample->stamp.global_ns, sample->time_ns);
}

/* Writes a sample: its time, and how far the offset and its two bounds are from base_ns. */
static void write_sample(FILE *stream, const struct ordo_sample *sample, int64_t base_ns, int64_t first_ns)
{
    const struct ordo_event_stamp *stamp = &sample->stamp;
    double offset = (double)ordo_page_apart(base_ns, offset_of(sample));
    fprintf(stream, "[%lld,%.0f,%.0f,%.0f]", (long long)ordo_page_apart(first_ns, stamp->global_ns), cut(offset),
            cut(offset - (double)ordo_page_apart(stamp->global_ns, stamp->latest_ns)),
            cut(offset + (double)ordo_page_apart(stamp->earliest_ns, stamp->global_ns)));
}

/* Writes the clock of a rank: its offset at the first sample, and the samples relative to it. */
static void write_clock_facts(FILE *stream, const struct ordo_timeline *timeline, int rank)
{
    const struct ordo_samples *samples = &timeline->samples[rank];
    int64_t base_ns = samples->count > 0 ? offset_of(&samples->all[0]) : 0;
    fprintf(stream, "{\"rank\":%d,\"offset_ns\":\"%lld\",\"samples\":[", timeline->analysis->ranks.all[rank],
            (long long)base_ns);
    for (uint32_t i = 0; i < samples->count; i++) {
        fputs(i ? "," : "", stream);
        write_sample(stream, &samples->all[i], base_ns, timeline->analysis->first_ns);
    }
    fputs("]}", stream);
}

static void write_clocks(FILE *stream, const struct ordo_timeline *timeline)
{
    enum { MOST = 500 };
    const struct ordo_analysis *analysis = timeline->analysis;
    fputs("\"clocks\":[", stream);
    for (int i = 0; i < analysis->ranks.count && i < MOST; i++) {
        fputs(i ? ",\n" : "", stream);
        write_clock_facts(stream, timeline, analysis->order[i]);
    }
    fputs("],\n", stream);
}

void ordo_page_write_facts(FILE *stream, const struct ordo_timeline *timeline)
{
    const struct ordo_analysis *analysis = timeline->analysis;
    const struct ordo_page_options *options = timeline->options;
    const struct ordo_page_result *result = timeline->result;
    fputs("{", stream);
    write_names(stream, analysis);
    write_rows(stream, &timeline->rows);
    write_ranks(stream, &timeline->rows);
    write_clocks(stream, timeline);
    fprintf(stream, "\"from_ns\":%lld,\"to_ns\":%lld,\"raw\":%s,",
            (long long)ordo_page_apart(analysis->first_ns, options->begin_ns),
            (long long)ordo_page_apart(analysis->first_ns, options->end_ns), options->raw ? "true" : "false");
    fprintf(stream, "\"events\":%llu,\"bars\":%llu,\"points\":%llu,\"arrows\":%llu,\n",
            (unsigned long long)analysis->events, (unsigned long long)result->bars, (unsigned long long)result->points,
            (unsigned long long)result->arrows);
    fprintf(stream, "\"merged_bars\":%llu,\"bars_ns\":%lld,\"merged_arrows\":%llu,\"arrows_ns\":%lld}\n",
            (unsigned long long)result->merged_bars, (long long)result->bars_ns,
            (unsigned long long)result->merged_arrows, (long long)result->arrows_ns);
}
