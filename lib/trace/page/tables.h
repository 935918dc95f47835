/* The tables of a page. A browser shows them without JavaScript. A cell with a number has this number, in the unit of
 * its column's attribute, as the attribute data-v, by which the page sorts. */
#ifndef ORDO_TRACE_PAGE_TABLES_H
#define ORDO_TRACE_PAGE_TABLES_H

#include "trace/page/timeline.h"

enum { ORDO_PAGE_ROWS_MOST = 500 }; /* of a table */

/** Each function writes rows of a table. Returns 0, or -1 if out of memory. */
int ordo_page_write_calls(FILE *stream, const struct ordo_analysis *analysis);
int ordo_page_write_late(FILE *stream, const struct ordo_analysis *analysis);
int ordo_page_write_collectives(FILE *stream, const struct ordo_analysis *analysis);

/** Each function writes rows of a table, from a timeline that was written. */
void ordo_page_write_clocks(FILE *stream, const struct ordo_timeline *timeline);
void ordo_page_write_odd(FILE *stream, const struct ordo_timeline *timeline, const struct ordo_traces *traces);
void ordo_page_write_files(FILE *stream, const struct ordo_timeline *timeline, const struct ordo_traces *traces);

#endif
