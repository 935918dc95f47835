/* A model of larger machines, fitted to the measurements of this run. It is no measurement, and every output says so. */
#ifndef BENCH_TXN_MODEL_H
#define BENCH_TXN_MODEL_H

#include "report.h"

/** Adds the projections of a workload's set to the report. Adds nothing without a counter among the stamps, or if only one thread
 * was measured, because a shared counter is then unknown. */
void txn_model_report(struct bench_report *report, const struct bench_set *set, const struct bench_set *stamps);

#endif
