/* The figures of `ordo-bench rlu` in addition to speed. */
#ifndef BENCH_RLU_FIGURES_H
#define BENCH_RLU_FIGURES_H

#include "report.h"
#include "rlu/arguments.h"

/** Returns the extras of a cell whose context is a struct rlu_bench: the memory; and for our RLU the clock reads,
 * aborts and waits, per operation or commit. The JSON has all "parameters" and "counters". */
struct ordo_json rlu_extras(const struct bench_set *set, const struct bench_cell *cell);

/** Reports ratios of a set: the stamps to each other, our RLU to the baselines, and each step of a sweep to the actual
 * boundary. */
void rlu_report_ratios(struct bench_report *report, const struct bench_set *set, const struct rlu_options *options);

#endif
