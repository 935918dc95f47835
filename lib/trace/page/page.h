/* A trace as one page of HTML that needs nothing but a browser: a timeline that zooms, and tables. */
#ifndef ORDO_TRACE_PAGE_PAGE_H
#define ORDO_TRACE_PAGE_PAGE_H

#include "trace/page/types.h"

/** Writes the page of traces that were started. The analysis is of the same traces. Memory grows with the numbers of
 * threads and ranks, and with open regions and messages, as in an analysis. It does not grow with the bars. If there are
 * more bars or arrows than `most`, short ones are merged, after another reading of the traces.
 *
 * ORDO_E_INVALID: there are too many rows for an overview of `most` / 4 bars. */
int ordo_page_write(struct ordo_traces *traces, struct ordo_analysis *analysis, const struct ordo_page_options *options,
                    FILE *stream, struct ordo_page_result *result, struct ordo_error *error);

#endif
