/* The figures of `ordo-bench contention` in addition to the rate. */
#ifndef BENCH_CONTENTION_FIGURES_H
#define BENCH_CONTENTION_FIGURES_H

#include "contention/loops.h"
#include "report.h"

/** Returns the two kinds of nanoseconds per operation of a cell, each with its interval, and how much time the
 * operation adds to the work if the set has the loop `none`. The context of the cell is a struct contention_cell. */
struct ordo_json contention_extras(const struct bench_set *set, const struct bench_cell *cell);

/** Reports ratios of operations per second: between algorithms at equal threads, and of each algorithm to itself at the
 * smallest number of threads. */
void contention_report_ratios(struct bench_report *report, const struct bench_set *set,
                              const struct bench_options *options);

#endif
