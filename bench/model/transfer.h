/* Measures the transfer time of a cache line between two cores. */
#ifndef BENCH_MODEL_TRANSFER_H
#define BENCH_MODEL_TRANSFER_H

#include "harness.h"

/** Measures the transfer time between the first two CPUs, in nanoseconds, and the smallest share of the time in which a
 * thread had its CPU. */
int model_measure_transfer(double *ns, double *cpu_share, const struct bench_machine *machine,
                           const struct bench_options *options, struct ordo_error *error);

#endif
