/* Results of schema ordo-bench/1 as curves. */
#ifndef BENCH_PLOT_PANELS_H
#define BENCH_PLOT_PANELS_H

#include "base/error.h"
#include "json/builder.h"

enum plot_axis { PLOT_THREADS, PLOT_UPDATES };

/** Adds the results of a file to `panels`, an object {panel: {curve: [[x, median, low, high], ...], ...}, ...} with
 * million operations per second. A panel is a workload, or a structure at a number of threads; a curve is an algorithm
 * on a stamp, and " (label)" where `label` is not NULL. ORDO_E_INVALID: the file is no such result, or has nothing
 * that goes over this axis. */
int plot_read(json_t *panels, enum plot_axis axis, const char *path, const char *label, struct ordo_error *error);

#endif
