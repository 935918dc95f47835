/* How far apart the ranks enter and leave each collective, and who is late. */
#ifndef ORDO_TRACE_PLOT_SKEW_H
#define ORDO_TRACE_PLOT_SKEW_H

#include "trace/report/analysis.h"

/** A panel for each collective by name: the distribution of what lies between the first and the last rank to enter, and to
 * leave; and how often each rank was the last to enter. Returns the number of panels; -1 where memory runs out. */
int ordo_skew_draw(const struct ordo_analysis *analysis, int width, FILE *stream);

#endif
