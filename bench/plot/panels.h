/* Results of schema ordo-bench/1 as curves. */
#ifndef BENCH_PLOT_PANELS_H
#define BENCH_PLOT_PANELS_H

#include "base/error.h"
#include "harness.h"

#define PLOT_PANEL_NAME 128
#define PLOT_CURVE_NAME (BENCH_NAME + 128)

enum plot_axis { PLOT_THREADS, PLOT_UPDATES };

/** In million operations per second over x. */
struct plot_point {
    double x, median, low, high;
};

struct plot_curve {
    char name[PLOT_CURVE_NAME];
    struct plot_point *points;
    size_t count;
};

struct plot_panel {
    char name[PLOT_PANEL_NAME];
    struct plot_curve *curves;
    size_t count;
};

struct plot_panels {
    struct plot_panel *panels;
    size_t count;
};

/** Adds the results of a file to `panels`, all zero at first. A panel is a workload, or a structure at a number of threads; a
 * curve is an algorithm on a stamp, and " (label)" if there is a `label`. ORDO_E_INVALID: the file is no such result, or
 * has no result for this axis. ORDO_E_SYSTEM: out of memory. Free them after an error too. */
int plot_read(struct plot_panels *panels, enum plot_axis axis, const char *path, const char *label,
              struct ordo_error *error);

void plot_free(struct plot_panels *panels);

#endif
