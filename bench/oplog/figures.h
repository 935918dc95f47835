/* What `ordo-bench oplog` says about a cell besides its speed. */
#ifndef BENCH_OPLOG_FIGURES_H
#define BENCH_OPLOG_FIGURES_H

#include "oplog/arguments.h"
#include "report.h"

/** The extras of a cell whose context is a struct oplog_bench: of our Oplog, how often logs were applied and the clock
 * was waited for; "parameters" and "counters" whole in the JSON. */
struct ordo_json oplog_extras(const struct bench_set *set, const struct bench_cell *cell);

/** The ratios worth reading of a set: our Oplog against each baseline, and its stamps against each other. */
void oplog_report_ratios(struct bench_report *report, const struct bench_set *set, const struct oplog_options *options);

#endif
