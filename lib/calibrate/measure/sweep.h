/* A sweep: one measurement of every pair of a set of CPUs, in both directions. */
#ifndef ORDO_CALIBRATE_MEASURE_SWEEP_H
#define ORDO_CALIBRATE_MEASURE_SWEEP_H

#include <stdbool.h>

#include "base/schedule.h"
#include "calibrate/measure/pair.h"
#include "machine/topology/topology.h"

struct ordo_sweep {
    const struct ordo_topology *topology;
    const unsigned *cpus;
    int count;
    struct ordo_pair_runs runs;
    uint32_t clock; /* enum ordo_clock_id; 0: this program's clock */
    bool parallel;  /* measure the disjoint pairs of a round at the same time: minima can only be larger */
    int (*progress)(void *context, int pairs_done); /* a result other than 0 cancels; may be NULL */
    void *progress_context;
};

/** Measures the pair of cpus[a] and cpus[b] with two pinned threads. On failure `error` contains the pair's name. */
int ordo_sweep_pair(const struct ordo_sweep *sweep, struct ordo_schedule_match match, struct ordo_visit *visit,
                    uint64_t *fewest_runs, struct ordo_error *error);

/** Measures all pairs into visits[a * count + b], a < b. Sets `*fewest_runs` to the smallest number of runs of any
 * direction, if that is smaller than `*fewest_runs`. ORDO_E_CANCELLED: `progress` cancelled. */
int ordo_sweep_all(const struct ordo_sweep *sweep, struct ordo_visit *visits, uint64_t *fewest_runs,
                   struct ordo_error *error);

#endif
