/* The time a cache line takes from one core to another. */
#ifndef BENCH_MODEL_TRANSFER_H
#define BENCH_MODEL_TRANSFER_H

#include "harness.h"

/** Measures it between the first two CPUs; nanoseconds, and the least share of the time in which a thread had its CPU.
 */
int model_measure_transfer(double *ns, double *cpu_share, const struct bench_machine *machine,
                           const struct bench_options *options, struct ordo_error *error);

#endif
