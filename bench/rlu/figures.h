/* What `ordo-bench rlu` says about a cell besides its speed. */
#ifndef BENCH_RLU_FIGURES_H
#define BENCH_RLU_FIGURES_H

#include "report.h"
#include "rlu/arguments.h"

/** The extras of a cell whose context is a struct rlu_bench: memory; of our RLU its clock reads, aborts and waits, per
 * operation or commit; "parameters" and "counters" whole in the JSON. */
struct ordo_json rlu_extras(const struct bench_set *set, const struct bench_cell *cell);

/** The ratios worth reading of a set: stamps against each other, our RLU against the baselines, and each step of a
 * sweep against the boundary as it is. */
void rlu_report_ratios(struct bench_report *report, const struct bench_set *set, const struct rlu_options *options);

#endif
