/* A picture of how far apart the ranks enter and leave each collective, and of which ranks are late. */
#ifndef ORDO_TRACE_PLOT_SKEW_H
#define ORDO_TRACE_PLOT_SKEW_H

#include "trace/report/analysis.h"

enum { ORDO_SKEW_WIDTH_LEAST = 700 }; /* pixels, for the two halves of a panel */

/** Draws a panel for each name of a collective. Returns the number of panels; -1 if out of memory. A panel shows
 * - the distribution of the time from the first to the last rank that enters, and the certain part of this time;
 * - the same for the ranks that leave;
 * - how often each rank was the last to enter. */
int ordo_skew_draw(const struct ordo_analysis *analysis, int width, FILE *stream);

#endif
