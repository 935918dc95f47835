/* Turns results of schema ordo-bench/1 into curves. */
#ifndef BENCH_PLOT_PANELS_H
#define BENCH_PLOT_PANELS_H

#include "base/error.h"
#include "harness.h"

#define PLOT_PANEL_NAME 128
#define PLOT_CURVE_NAME (BENCH_NAME + 128)

enum plot_axis { PLOT_THREADS, PLOT_UPDATES, PLOT_KEYS };

/** A value at x, in million operations per second. */
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

/** Adds the results of a file to `panels`, which is all zero before the first call. A panel is a workload, or a
 * structure at a thread count, with PLOT_KEYS also at a share of updates. A curve is an algorithm with a stamp, followed by " (label)" if there is a `label`. Free
 * the panels after an error, too.
 * ORDO_E_INVALID: the file is not a result of schema ordo-bench/1, or has no result for this axis.
 * ORDO_E_SYSTEM: out of memory. */
int plot_read(struct plot_panels *panels, enum plot_axis axis, const char *path, const char *label,
              struct ordo_error *error);

void plot_free(struct plot_panels *panels);

#endif
