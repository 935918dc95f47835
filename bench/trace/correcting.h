/* The benchmark of correcting a trace, which repeats `ordo-trace correct`. */
#ifndef BENCH_TRACE_CORRECTING_H
#define BENCH_TRACE_CORRECTING_H

#include <stdatomic.h>

#include "harness.h"
#include "trace/correct/correct.h"
#include "trace/made.h"

/** Indices of a worker's counters. */
enum correcting_counter { CORRECTING_USER_US, CORRECTING_SYSTEM_US };

struct correcting {
    const struct made_trace *made;
    struct ordo_correct_options options;
    const char *path; /* path of the trace, for `options` */
    char workload[48];
    atomic_int wrong; /* number of passes whose report does not match the trace */
};

/** Fills `*variant`, which corrects by one method; `causal`: also repairs causality. An operation is one written event.
 * Every report is compared with the known trace. */
void correcting_variant(struct correcting *correcting, const struct made_trace *made, const char *algorithm,
                        const char *method, bool causal, struct bench_variant *variant);

#endif
