/* What `ordo-bench stm` says about a cell besides its speed. */
#ifndef BENCH_STM_FIGURES_H
#define BENCH_STM_FIGURES_H

#include "report.h"
#include "stm/arguments.h"

/** The extras of a cell whose context is a struct stm_bench: of our transactional memory its clock reads and aborts, per
 * operation or commit; "parameters" and "counters" whole in the JSON. */
struct ordo_json stm_extras(const struct bench_set *set, const struct bench_cell *cell);

/** The ratios worth reading of a set: the stamp ordo over the counters, our transactional memory over the baselines, and
 * each step of a sweep over the boundary as it is. */
void stm_report_ratios(struct bench_report *report, const struct bench_set *set, const struct stm_options *options);

#endif
