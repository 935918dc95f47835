/* The figures of `ordo-bench stm` in addition to speed. */
#ifndef BENCH_STM_FIGURES_H
#define BENCH_STM_FIGURES_H

#include "report.h"
#include "stm/arguments.h"

/** Returns the extras of a cell whose context is a struct stm_bench: for our transactional memory the clock reads and
 * aborts, per operation or commit. The JSON has all "parameters" and "counters". */
struct ordo_json stm_extras(const struct bench_set *set, const struct bench_cell *cell);

/** Reports ratios of a set: the stamp ordo to the counters, our transactional memory to the baselines, and each step of
 * a sweep to the actual boundary. */
void stm_report_ratios(struct bench_report *report, const struct bench_set *set, const struct stm_options *options);

#endif
