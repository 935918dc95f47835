/* The largest difference of the counters of devices over all moments of a run, and not only at sampled ones.
 *
 *  P1 Between two moves of either counter, each of two counters advances at evenly spaced ticks. The lead of a over b
 *     is largest at a tick of a, or at the beginning. From one tick of a to the next, b always makes at least one tick
 *     if b is the faster one, and always at most one if b is the slower one. Along the ticks of a, the lead therefore
 *     only falls or only rises, so the first and the last tick of a are enough. */
#ifndef ORDO_LAB_NET_DTP_PRECISION_H
#define ORDO_LAB_NET_DTP_PRECISION_H

#include <stdbool.h>

#include "lab/net/dtp/device.h"
#include "lab/net/sim/phy.h"

struct ordo_net_dtp_precision {
    int nodes;
    int64_t bound_ticks;             /* 4 D */
    int64_t worst, worst_neighbours; /* the largest difference of any two counters, and of any two with a channel */
    uint64_t violations;             /* how many times two counters differed by more than the bound between two moves */
    int64_t since_fs;                /* differences before this time do not count */
    int64_t *moved_fs;               /* by node: when its counter was moved last */
    bool *neighbours;                /* by two nodes */
    struct ordo_net_phy *phy;
    const struct ordo_net_dtp_device *devices;
};

/** Returns false if out of memory. */
bool ordo_net_dtp_precision_make(struct ordo_net_dtp_precision *precision, int nodes, int links);
void ordo_net_dtp_precision_free(struct ordo_net_dtp_precision *precision);

/** Returns the counter of a node at a true time. */
int64_t ordo_net_dtp_counter(const struct ordo_net_dtp_precision *precision, int node, int64_t true_fs);

/** Compares the counter of `node` with all others up to now. Call before the counter is moved. */
void ordo_net_dtp_precision_move(struct ordo_net_dtp_precision *precision, int node);

/** Compares all counters, at the end of the run. */
void ordo_net_dtp_precision_end(struct ordo_net_dtp_precision *precision);

#endif
