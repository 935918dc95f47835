/* A model of larger machines, fitted to the measurements of this run. The model is not a measurement, and every output
 * says so. */
#ifndef BENCH_TXN_MODEL_H
#define BENCH_TXN_MODEL_H

#include "report.h"

/** Adds the projections of a workload's set to the report. Adds nothing if the stamp logical was not measured, or if
 * only one thread was measured, because the cost of a shared counter is then unknown. */
void txn_model_report(struct bench_report *report, const struct bench_set *set, const struct bench_set *stamps);

#endif
