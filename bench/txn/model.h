/* A model of larger machines, fitted to what this run measured. It is no measurement, and whatever shows it says so. */
#ifndef BENCH_TXN_MODEL_H
#define BENCH_TXN_MODEL_H

#include "report.h"

/** Adds to the report what the model makes of a workload's set. Nothing where a counter was not among the stamps, or
 * one thread alone was measured: then nothing is known of a counter that is shared. */
void txn_model_report(struct bench_report *report, const struct bench_set *set, const struct bench_set *stamps);

#endif
