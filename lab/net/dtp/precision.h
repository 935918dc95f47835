/* The largest difference of the counters of devices over all moments of a run, and not only at sampled ones.
 *
 *  P1 Consider an interval in which neither counter a nor counter b is moved. Both advance at evenly spaced ticks. The
 *     lead of a over b is largest at a tick of a, or at the start of the interval. From one tick of a to the next, b
 *     makes at least one tick if b is faster than a, and at most one tick if b is slower. From tick to tick of a, the
 *     lead therefore only falls or only rises, so it is enough to look at the first and the last tick of a. */
#ifndef ORDO_LAB_NET_DTP_PRECISION_H
#define ORDO_LAB_NET_DTP_PRECISION_H

#include <stdbool.h>

#include "lab/net/dtp/device.h"
#include "lab/net/sim/phy.h"

struct ordo_net_dtp_precision {
    int nodes;
    int64_t bound_ticks;             /* 4 D */
    int64_t worst, worst_neighbours; /* largest difference of any two counters; of any two neighbours' counters */
    uint64_t violations; /* number of times that two counters differed by more than the bound between two moves */
    int64_t since_fs;    /* differences before this time do not count */
    int64_t *moved_fs;   /* by node: when its counter was moved last */
    bool *neighbours;    /* by two nodes: true if they have a channel */
    struct ordo_net_phy *phy;
    const struct ordo_net_dtp_device *devices;
};

/** Prepares the comparison of the counters. Returns false if out of memory. */
bool ordo_net_dtp_precision_make(struct ordo_net_dtp_precision *precision, int nodes, int links);
void ordo_net_dtp_precision_free(struct ordo_net_dtp_precision *precision);

/** Returns the counter of a node at a true time. */
int64_t ordo_net_dtp_counter(const struct ordo_net_dtp_precision *precision, int node, int64_t true_fs);

/** Compares the counter of `node` with all others up to now. Call before the counter is moved. */
void ordo_net_dtp_precision_move(struct ordo_net_dtp_precision *precision, int node);

/** Compares all counters, at the end of the run. */
void ordo_net_dtp_precision_end(struct ordo_net_dtp_precision *precision);

#endif
