/* How far apart the counters of devices come: at every moment, and not only where somebody looks.
 *
 *  P1 Between two moments at which one of them is moved, two counters differ by two sequences of even ticks. The lead of one over
 *     the other is largest at one of its own ticks, or at the beginning. From one of its ticks to the next the other makes a count of ticks that
 *     is always at least one, or always at most one, by which of the two is slower; so along its ticks the lead only falls, or
 *     only rises, and the first and the last of them are enough. */
#ifndef ORDO_LAB_NET_DTP_PRECISION_H
#define ORDO_LAB_NET_DTP_PRECISION_H

#include <stdbool.h>

#include "lab/net/dtp/device.h"
#include "lab/net/sim/phy.h"

struct ordo_net_dtp_precision {
    int nodes;
    int64_t bound_ticks;             /* 4 D */
    int64_t worst, worst_neighbours; /* the largest difference of any two, and of any two with a channel */
    uint64_t violations;             /* how many times two came to differ by more than the bound between two moves */
    int64_t since_fs;                /* nothing before this counts */
    int64_t *moved_fs;               /* by node: when its counter was moved last */
    bool *neighbours;                /* by two nodes */
    struct ordo_net_phy *phy;
    const struct ordo_net_dtp_device *devices;
};

/** False where memory ran out. */
bool ordo_net_dtp_precision_make(struct ordo_net_dtp_precision *precision, int nodes, int links);
void ordo_net_dtp_precision_free(struct ordo_net_dtp_precision *precision);

/** The counter of a node at a true time. */
int64_t ordo_net_dtp_counter(const struct ordo_net_dtp_precision *precision, int node, int64_t true_fs);

/** The counter of `node` is about to be moved, now: compares it with all others as they were until then. */
void ordo_net_dtp_precision_move(struct ordo_net_dtp_precision *precision, int node);

/** The end: compares all. */
void ordo_net_dtp_precision_end(struct ordo_net_dtp_precision *precision);

#endif
