/* HUYGENS (Geng et al., NSDI 2018) within a machine: the CPUs are the hosts, and cache lines are the links.
 *
 * In each sweep, each direction of a pair of CPUs gives one point: the best message, whose delta is measured as in
 * Kashyap et al., EuroSys 2018. A point is used like a probe between hosts: the same estimators compute the offset of
 * an edge, the same network effect spreads the contradictions of loops, and the same shortest paths tighten the proved
 * intervals. */
#ifndef ORDO_NET_CORES_CORES_H
#define ORDO_NET_CORES_CORES_H

#include "base/visit.h"
#include "net/offset/estimator.h"

/** The measurements. */
struct ordo_net_cores_visits {
    const struct ordo_visit *visits; /* index: (sweep * count + a) * count + b, for all pairs a < b */
    int count, sweeps;               /* number of CPUs, at least 2; number of sweeps, at least 1 */
    double ps_per_tick;
    int64_t step_ticks; /* largest error of a reading of a clock */
};

/** The clock of a CPU minus that of CPU 0. */
struct ordo_net_core {
    double likely_ps; /* estimate; if `sound`, limited to the proved interval */
    struct ordo_interval proved_ps;
};

struct ordo_net_cores {
    struct ordo_net_core *core; /* array of `count` CPUs */
    bool sound;                 /* true if the visits do not contradict each other; false: nothing is proved */
    double loops_rms_ps,
        loops_max_ps; /* largest correction of a pair's offset by the network effect, not limited by the proof */
};

/** Computes the offsets at the middle of the time of all sweeps. False if out of memory.
 *
 * The proved intervals assume that the clocks do not drift against each other. If their drift makes the sweeps
 * contradict each other, then the result is not sound. A reading may be wrong by step_ticks. A delta is a difference of
 * two readings, so the interval of a pair is wider than its deltas (base/visit.h) say. */
bool ordo_net_cores_make(struct ordo_net_cores *cores, const struct ordo_net_cores_visits *visits,
                         const struct ordo_net_offset_estimator *estimator);
void ordo_net_cores_free(struct ordo_net_cores *cores);

#endif
