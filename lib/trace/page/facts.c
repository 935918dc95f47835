#include "trace/page/facts.h"

#include <string.h>

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
        putc(']', stream);
    }
    fputs("],\n", stream);
}

/* Returns a distance that a plot can show. Bounds of clocks that are not known are much farther away. */
static long long cut(int64_t distance_ns)
{
    const int64_t most = INT64_C(1000000000000000);
    return distance_ns < -most ? -most : distance_ns > most ? most : distance_ns;
}

/* Writes the clock of a rank: its offset at the first sample, and for each sample the time, and how far the offset and
 * its two bounds are from this first offset. */
static void write_clock(FILE *stream, const struct ordo_timeline *timeline, int rank)
{
    const struct ordo_samples *samples = &timeline->samples[rank];
    int64_t base = samples->count > 0 ? samples->all[0].time_ns - samples->all[0].stamp.global_ns : 0;
    fprintf(stream, "{\"rank\":%d,\"offset_ns\":\"%lld\",\"samples\":[", timeline->analysis->ranks.all[rank],
            (long long)base);
    for (uint32_t i = 0; i < samples->count; i++) {
        const struct ordo_sample *at = &samples->all[i];
        int64_t offset = at->time_ns - at->stamp.global_ns;
        fprintf(stream, "%s[%lld,%lld,%lld,%lld]", i ? "," : "",
                (long long)(at->stamp.global_ns - timeline->analysis->first_ns), cut(offset - base),
                cut(offset - base - (at->stamp.latest_ns - at->stamp.global_ns)),
                cut(offset - base + (at->stamp.global_ns - at->stamp.earliest_ns)));
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
        write_clock(stream, timeline, analysis->order[i]);
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
    write_clocks(stream, timeline);
    fprintf(stream, "\"from_ns\":%lld,\"to_ns\":%lld,\"raw\":%s,", (long long)(options->begin_ns - analysis->first_ns),
            (long long)(options->end_ns - analysis->first_ns), options->raw ? "true" : "false");
    fprintf(stream, "\"events\":%llu,\"bars\":%llu,\"points\":%llu,\"arrows\":%llu}\n",
            (unsigned long long)analysis->events, (unsigned long long)result->bars, (unsigned long long)result->points,
            (unsigned long long)result->arrows);
}
