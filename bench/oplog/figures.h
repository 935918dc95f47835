/* The figures of `ordo-bench oplog` in addition to speed. */
#ifndef BENCH_OPLOG_FIGURES_H
#define BENCH_OPLOG_FIGURES_H

#include "oplog/arguments.h"
#include "report.h"

/** Returns the extras of a cell whose context is a struct oplog_bench. For our Oplog they tell how often logs were
 * applied and how often a thread waited for the clock. The JSON has all "parameters" and "counters". */
struct ordo_json oplog_extras(const struct bench_set *set, const struct bench_cell *cell);

/** Reports ratios of a set: our Oplog to each baseline, and its stamps to each other. */
void oplog_report_ratios(struct bench_report *report, const struct bench_set *set, const struct oplog_options *options);

#endif
