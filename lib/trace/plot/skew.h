/* How far apart the ranks enter and leave each collective, and who is late. */
#ifndef ORDO_TRACE_PLOT_SKEW_H
#define ORDO_TRACE_PLOT_SKEW_H

#include "trace/report/analysis.h"

enum { ORDO_SKEW_WIDTH_LEAST = 700 }; /* for its two halves */

/** A panel for each collective by name: the distribution of what lies between the first and the last rank to enter, and to
 * leave, with what of it is certain; and how often each rank was the last to enter. Returns the number of panels; -1 where
 * memory runs out. */
int ordo_skew_draw(const struct ordo_analysis *analysis, int width, FILE *stream);

#endif
