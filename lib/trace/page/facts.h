/* The facts of a page for its scripts, as JSON: names, rows, the samples of the clocks, and the range of time. */
#ifndef ORDO_TRACE_PAGE_FACTS_H
#define ORDO_TRACE_PAGE_FACTS_H

#include "trace/page/timeline.h"

/** Writes the facts of a timeline that was written. Times are in ns since the first event. */
void ordo_page_write_facts(FILE *stream, const struct ordo_timeline *timeline);

#endif
