/* Curves as SVG, drawn by the program gnuplot. */
#ifndef BENCH_PLOT_GNUPLOT_H
#define BENCH_PLOT_GNUPLOT_H

#include "plot/panels.h"

/** Draws all panels of plot_read side by side, and writes the picture to `output` once it is whole. ORDO_E_MISSING:
 * there is no gnuplot here. */
int plot_draw(const struct plot_panels *panels, enum plot_axis axis, FILE *output, struct ordo_error *error);

#endif
