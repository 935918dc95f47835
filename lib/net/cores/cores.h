/* HUYGENS in a machine: cores are the hosts, and cache lines the links.
 *
 * What a sweep has seen of a pair of CPUs is a probe there and one back, those of many that took the least: points, as between
 * hosts. The same estimators make an edge's offset of them, the same network effect spreads what the loops contradict, and
 * the same shortest ways tighten what is proved. (Geng et al., NSDI 2018; for the deltas Kashyap et al., EuroSys
 * 2018.) */
#ifndef ORDO_NET_CORES_CORES_H
#define ORDO_NET_CORES_CORES_H

#include "base/visit.h"
#include "net/offset/estimator.h"

/** What was measured. */
struct ordo_net_cores_visits {
    const struct ordo_visit *visits; /* [(sweep * count + a) * count + b], a < b: all pairs */
    int count, sweeps;               /* of CPUs, at least 2; at least 1 */
    double ps_per_tick;
    int64_t step_ticks; /* what a reading may hide */
};

/** By CPU: its clock minus that of CPU 0. */
struct ordo_net_core {
    double likely_ps; /* if all is sound, within what is proved */
    struct ordo_interval proved_ps;
};

struct ordo_net_cores {
    struct ordo_net_core *core; /* [count] */
    bool sound;                 /* the visits do not contradict each other: else nothing is proved */
    double loops_rms_ps,
        loops_max_ps; /* by how much the graph moved the offset of a pair, before the proof limits it */
};

/** The offsets in the middle of all sweeps. False where memory ran out.
 *
 * Proved is what holds for clocks that do not drift against each other: where the sweeps show that they do, they
 * contradict each other, and it is not sound. A reading may hide a step, by which the interval of a pair is wider than that of
 * its deltas (base/visit.h, which are those of the readings). */
bool ordo_net_cores_make(struct ordo_net_cores *cores, const struct ordo_net_cores_visits *visits,
                         const struct ordo_net_offset_estimator *estimator);
void ordo_net_cores_free(struct ordo_net_cores *cores);

#endif
