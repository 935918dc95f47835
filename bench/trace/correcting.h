/* Correcting a trace, as `ordo-trace correct` does, again and again. */
#ifndef BENCH_TRACE_CORRECTING_H
#define BENCH_TRACE_CORRECTING_H

#include <stdatomic.h>

#include "harness.h"
#include "trace/correct/correct.h"
#include "trace/made.h"

/** What a worker counts beside events. */
enum correcting_counter { CORRECTING_USER_US, CORRECTING_SYSTEM_US };

struct correcting {
    const struct made_trace *made;
    struct ordo_correct_options options;
    const char *path; /* of the trace, in options */
    char workload[48];
    atomic_int wrong; /* passes with a report that does not match the trace */
};

/** Corrects by one method, with `causal` repair or without. An operation is a written event. Every report is compared with the
 * known trace. */
void correcting_variant(struct correcting *correcting, const struct made_trace *made, const char *algorithm,
                        const char *method, bool causal, struct bench_variant *variant);

#endif
