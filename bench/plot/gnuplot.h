/* Draws curves as SVG with the program gnuplot. */
#ifndef BENCH_PLOT_GNUPLOT_H
#define BENCH_PLOT_GNUPLOT_H

#include "plot/panels.h"

/** Draws all panels of plot_read() side by side. Writes the picture to `output` only when it is complete.
 * ORDO_E_MISSING: gnuplot is not installed. */
int plot_draw(const struct plot_panels *panels, enum plot_axis axis, FILE *output, struct ordo_error *error);

#endif
