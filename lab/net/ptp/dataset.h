/* Best-master selection: what clocks say of themselves, who is better, and what a port is then.
 *
 * IEEE Std 1588-2008, clause 9.3: the dataset comparison algorithm (Figures 27 and 28) and the state decision algorithm (Figure 26). */
#ifndef ORDO_LAB_NET_PTP_DATASET_H
#define ORDO_LAB_NET_PTP_DATASET_H

#include <stdbool.h>
#include <stdint.h>

/** Ordered by node, then by port. Ports of a node are counted from 1. */
struct ordo_net_ptp_port_id {
    int node, port;
};

bool ordo_net_ptp_same_port(struct ordo_net_ptp_port_id a, struct ordo_net_ptp_port_id b);

/** What an Announce tells of a grandmaster, and by which ports it came. Less is better, everywhere. */
struct ordo_net_ptp_dataset {
    uint8_t priority1, clock_class, accuracy, priority2;
    uint16_t variance;
    int identity; /* of the grandmaster: its node */
    int steps;    /* boundary clocks between it and the sender */
    struct ordo_net_ptp_port_id sender, receiver;
};

enum ordo_net_ptp_order {
    ORDO_NET_PTP_BETTER,          /* a better grandmaster, or the same one by fewer steps */
    ORDO_NET_PTP_BETTER_BY_PLACE, /* the same one by as many, from a port that comes first */
    ORDO_NET_PTP_SAME,
    ORDO_NET_PTP_WORSE_BY_PLACE,
    ORDO_NET_PTP_WORSE,
};

/** What `a` is, compared with `b`. */
enum ordo_net_ptp_order ordo_net_ptp_compare(const struct ordo_net_ptp_dataset *a,
                                             const struct ordo_net_ptp_dataset *b);

/** Better, or better by its place; NULL is worse than all. */
bool ordo_net_ptp_is_better(const struct ordo_net_ptp_dataset *a, const struct ordo_net_ptp_dataset *b);

enum ordo_net_ptp_state { ORDO_NET_PTP_LISTENING, ORDO_NET_PTP_MASTER, ORDO_NET_PTP_SLAVE, ORDO_NET_PTP_PASSIVE };

/** What a port is to be: `own` is its clock's dataset, `port_best` the best that came to this port and `best` the best that came to any
 * port of the clock; NULL where nothing came. `best` is `port_best` itself where it came to this port. */
enum ordo_net_ptp_state ordo_net_ptp_decide(const struct ordo_net_ptp_dataset *own,
                                            const struct ordo_net_ptp_dataset *port_best,
                                            const struct ordo_net_ptp_dataset *best);

#endif
