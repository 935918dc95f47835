/* Measures the lag between the stamp of an event and its delivery by the merger, with running producers. */
#ifndef BENCH_MERGE_LAG_H
#define BENCH_MERGE_LAG_H

#include <ordo/ordo.h>

#include "machine.h"
#include "txn/latency.h"

struct merge_lag {
    const struct ordo *clock;
    const struct bench_machine *machine;
    double seconds;
    int producers;
    uint64_t flush_ticks; /* 0: producers stamp their events; else they append, and state this flush delay */
    /* Results. */
    struct txn_latency latency; /* in ticks */
    double ns_per_tick;
    uint64_t events, uncertain, late;
};

/** Runs `producers` threads, each with an event every few microseconds, on all CPUs but the first, and a merger on the
 * first CPU.
 * ORDO_E_INVALID: there is only one CPU. Other codes: pinning failed. */
int merge_lag_measure(struct merge_lag *lag, struct ordo_error *error);

#endif
