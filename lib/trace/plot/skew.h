/* A picture of how far apart the ranks enter and leave each collective, and of which ranks are late. */
#ifndef ORDO_TRACE_PLOT_SKEW_H
#define ORDO_TRACE_PLOT_SKEW_H

#include "trace/report/analysis.h"

enum { ORDO_SKEW_WIDTH_LEAST = 700 }; /* for its two halves */

/** Draws a panel for each name of a collective: the distribution of the time between the first and the last rank that
 * enters, and that leaves, with the part that is certain; and how often each rank was the last to enter. Returns the
 * number of panels; -1 if out of memory. */
int ordo_skew_draw(const struct ordo_analysis *analysis, int width, FILE *stream);

#endif
