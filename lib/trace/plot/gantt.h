/* A Gantt chart: a row for each rank, a bar for each region, an arrow for each message, and a hatched area at both ends
 * of a bar, within which the begin or the end certainly is. */
#ifndef ORDO_TRACE_PLOT_GANTT_H
#define ORDO_TRACE_PLOT_GANTT_H

#include "trace/report/analysis.h"

struct ordo_gantt_options {
    int64_t begin_ns, end_ns; /* the chart's range of global time; begin_ns < end_ns */
    int64_t zero_ns;          /* the time at which the axis shows 0 */
    const int *ranks;         /* ascending, `rank_count` of them */
    int rank_count;
    const char *names; /* of the regions to draw, joined by commas; NULL: all */
    int width;         /* in pixels */
    bool messages;
};

struct ordo_gantt_result {
    uint64_t bars, arrows;
    uint64_t left_out; /* arrows that were not drawn, because there would be too many */
};

/** Draws traces that were started. The names come from the analysis of the same traces; the name with the most time has
 * the first colour. */
int ordo_gantt_draw(struct ordo_traces *traces, struct ordo_analysis *analysis,
                    const struct ordo_gantt_options *options, FILE *stream, struct ordo_gantt_result *result,
                    struct ordo_error *error);

#endif
