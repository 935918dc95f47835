/* The data of the timeline: reads the events of traces, and writes bars, points and messages as blocks. On the way it
 * counts the events of each file, samples the clocks, and counts oddities. */
#ifndef ORDO_TRACE_PAGE_TIMELINE_H
#define ORDO_TRACE_PAGE_TIMELINE_H

#include "trace/page/drawn.h"
#include "trace/page/rows.h"
#include "trace/page/samples.h"
#include "trace/page/types.h"

/** The contents of a file. */
struct ordo_page_file {
    uint64_t of_kind[ORDO_EVENT_KINDS];
    uint64_t opened, closed;  /* begins that have an end of their own; pairs of such a begin and its end */
    uint64_t first_alone_row; /* of the first end that closed no region; 0: none */
};

struct ordo_timeline {
    const struct ordo_page_options *options;
    struct ordo_page_result *result;
    struct ordo_analysis *analysis;
    struct ordo_page_rows rows;
    struct ordo_samples *samples; /* by the index of the rank in the analysis */
    struct ordo_page_file *files; /* by the index of the file in the traces */
    struct ordo_regions regions;
    struct ordo_page_file *counts; /* of the file of the present event */
    bool is_span;                  /* the present event is a span, whose depth is only a guess */
    struct ordo_drawn bars, messages;
    bool has_clocks;  /* the clocks place the ends of spans; otherwise an end has the bounds of its begin */
    uint64_t outside; /* bars, points and messages outside the range of the timeline */
};

/** Reads all events, and finds out how short bars and messages must be to be merged, so that the page has at most
 * `most` / 4 of each; sets bars.shift and messages.shift, if there are more than `most`. Afterwards the traces have to be
 * started again.
 * ORDO_E_INVALID: there are too many rows */
int ordo_timeline_measure(struct ordo_timeline *timeline, struct ordo_traces *traces, struct ordo_error *error);

/** Reads all events and writes the blocks. Call ordo_timeline_free in any case. */
int ordo_timeline_write(struct ordo_timeline *timeline, struct ordo_traces *traces, FILE *stream,
                        struct ordo_error *error);
void ordo_timeline_free(struct ordo_timeline *timeline);

#endif
