/* The options of a page, and the counts of its contents. */
#ifndef ORDO_TRACE_PAGE_TYPES_H
#define ORDO_TRACE_PAGE_TYPES_H

#include "trace/report/analysis.h"

struct ordo_page_options {
    const char *title;
    int64_t begin_ns, end_ns; /* the range of the timeline, in global time */
    uint64_t most;            /* with more bars or arrows, the page is an overview */
    bool raw;                 /* times are by the ranks' own clocks */
};

struct ordo_page_result {
    uint64_t bars, points, arrows;
    uint64_t merged_bars, merged_arrows; /* in an overview: those that became parts of others */
    int64_t bars_ns, arrows_ns;          /* the length below which they were merged; 0: none was */
    uint32_t rows;
};

#endif
