#include "trace/page/page.h"

#include <string.h>

#include "trace/page/apart.h"
#include "trace/page/facts.h"
#include "trace/page/tables.h"
#include "trace/page/template.h"
#include "trace/page/text.h"

static void write_title(FILE *stream, const char *title)
{
    ordo_page_escape(stream, (struct ordo_text){title, strlen(title)});
}

static void write_fact(FILE *stream, const char *id, const char *label, uint64_t count)
{
    fprintf(stream, "<div><dt>%s</dt><dd id=\"%s\">%llu</dd></div>", label, id, (unsigned long long)count);
}

static void write_summary(FILE *stream, const struct ordo_analysis *analysis)
{
    write_fact(stream, "events", "events", analysis->events);
    write_fact(stream, "ranks", "ranks", (uint64_t)analysis->ranks.count);
    write_fact(stream, "messages", "messages", analysis->causality.messages);
    write_fact(stream, "collectives", "collectives", analysis->causality.collectives);
    fputs("<div><dt>duration</dt><dd>", stream);
    ordo_page_time(stream, (double)ordo_page_apart(analysis->first_ns, analysis->last_ns));
    fputs("</dd></div>", stream);
}

/* Writes the part of the page that the analysis makes. Returns 0, or -1 if out of memory. */
static int write_analysis(const struct ordo_analysis *analysis, const char *title, FILE *stream)
{
    fputs(ordo_page_before_title, stream);
    write_title(stream, title);
    fputs(ordo_page_before_heading, stream);
    write_title(stream, title);
    fputs(ordo_page_before_summary, stream);
    write_summary(stream, analysis);
    fputs(ordo_page_before_calls, stream);
    if (ordo_page_write_calls(stream, analysis))
        return -1;
    fputs(ordo_page_before_late, stream);
    if (ordo_page_write_late(stream, analysis))
        return -1;
    fputs(ordo_page_before_collectives, stream);
    return ordo_page_write_collectives(stream, analysis);
}

/* Writes the part of the page that a second reading of the traces makes. */
static int write_timeline(struct ordo_timeline *timeline, struct ordo_traces *traces, FILE *stream,
                          struct ordo_error *error)
{
    fputs(ordo_page_before_blocks, stream);
    int code = ordo_timeline_write(timeline, traces, stream, error);
    if (code)
        return code;
    fputs(ordo_page_before_clocks, stream);
    ordo_page_write_clocks(stream, timeline);
    fputs(ordo_page_before_odd, stream);
    ordo_page_write_odd(stream, timeline, traces);
    fputs(ordo_page_before_files, stream);
    ordo_page_write_files(stream, timeline, traces);
    fputs(ordo_page_before_facts, stream);
    ordo_page_write_facts(stream, timeline);
    fputs(ordo_page_end, stream);
    return ORDO_OK;
}

int ordo_page_write(struct ordo_traces *traces, struct ordo_analysis *analysis, const struct ordo_page_options *options,
                    FILE *stream, struct ordo_page_result *result, struct ordo_error *error)
{
    struct ordo_timeline timeline = {
        .options = options, .result = result, .analysis = analysis, .bars = {.shift = -1}, .messages = {.shift = -1}};
    int code = ORDO_OK;
    *result = (struct ordo_page_result){0};
    if (analysis->events > options->most) { /* otherwise there are not more bars either */
        code = ordo_timeline_measure(&timeline, traces, error);
        if (!code)
            code = ordo_traces_start(traces, traces->clocks, error);
    }
    if (code)
        return code;
    if (write_analysis(analysis, options->title, stream))
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "the tables of the page: out of memory");
    code = write_timeline(&timeline, traces, stream, error);
    ordo_timeline_free(&timeline);
    return code;
}
