/* HUYGENS within a machine: the cores are the hosts, and cache lines are the links.
 *
 * The best message of a sweep in each direction of a pair of CPUs is a point, as a probe between hosts is. The same
 * estimators make an edge's offset of the points, the same network effect spreads the contradictions of loops, and the
 * same shortest ways tighten the proved intervals. (Geng et al., NSDI 2018; for the deltas Kashyap et al., EuroSys
 * 2018.) */
#ifndef ORDO_NET_CORES_CORES_H
#define ORDO_NET_CORES_CORES_H

#include "base/visit.h"
#include "net/offset/estimator.h"

/** The measurements. */
struct ordo_net_cores_visits {
    const struct ordo_visit *visits; /* [(sweep * count + a) * count + b], a < b: all pairs */
    int count, sweeps;               /* number of CPUs, at least 2; number of sweeps, at least 1 */
    double ps_per_tick;
    int64_t step_ticks; /* the largest error of a reading */
};

/** By CPU: its clock minus that of CPU 0. */
struct ordo_net_core {
    double likely_ps; /* limited to the proved interval if all is sound */
    struct ordo_interval proved_ps;
};

struct ordo_net_cores {
    struct ordo_net_core *core; /* [count] */
    bool sound;                 /* the visits do not contradict each other; otherwise nothing is proved */
    double loops_rms_ps,
        loops_max_ps; /* the largest change of a pair's offset by the graph, before the proof limits it */
};

/** Computes the offsets in the middle of all sweeps. False if out of memory.
 *
 * The proof assumes that the clocks do not drift against each other: if the sweeps show that they do, they contradict
 * each other, and the result is not sound. A reading may be wrong by a step, which widens the interval of a pair beyond
 * that of its deltas (base/visit.h), because deltas are differences of readings. */
bool ordo_net_cores_make(struct ordo_net_cores *cores, const struct ordo_net_cores_visits *visits,
                         const struct ordo_net_offset_estimator *estimator);
void ordo_net_cores_free(struct ordo_net_cores *cores);

#endif
