/* Best-master selection: the datasets that clocks announce, their comparison, and the resulting state of a port.
 *
 * IEEE Std 1588-2008, clause 9.3: the dataset comparison algorithm (Figures 27 and 28) and the state decision algorithm
 * (Figure 26). */
#ifndef ORDO_LAB_NET_PTP_DATASET_H
#define ORDO_LAB_NET_PTP_DATASET_H

#include <stdbool.h>
#include <stdint.h>

/** The id of a port. Ids are ordered by node, then by port; the ports of a node are counted from 1. */
struct ordo_net_ptp_port_id {
    int node, port;
};

bool ordo_net_ptp_same_port(struct ordo_net_ptp_port_id a, struct ordo_net_ptp_port_id b);

/** The content of an Announce about a grandmaster, and the ports over which it came. In each field, a lower value is
 * better. */
struct ordo_net_ptp_dataset {
    uint8_t priority1, clock_class, accuracy, priority2;
    uint16_t variance;
    int identity; /* the node of the grandmaster */
    int steps;    /* boundary clocks between the grandmaster and the sender */
    struct ordo_net_ptp_port_id sender, receiver;
};

enum ordo_net_ptp_order {
    ORDO_NET_PTP_BETTER,          /* a better grandmaster, or the same grandmaster by fewer steps */
    ORDO_NET_PTP_BETTER_BY_PLACE, /* the same grandmaster; only the ids of the ports make the path better */
    ORDO_NET_PTP_SAME,
    ORDO_NET_PTP_WORSE_BY_PLACE,
    ORDO_NET_PTP_WORSE,
};

/** Compares `a` with `b`: ORDO_NET_PTP_BETTER if `a` is better. */
enum ordo_net_ptp_order ordo_net_ptp_compare(const struct ordo_net_ptp_dataset *a,
                                             const struct ordo_net_ptp_dataset *b);

/** True if `a` is better than `b`, or better only by its place. NULL is worse than any dataset. */
bool ordo_net_ptp_is_better(const struct ordo_net_ptp_dataset *a, const struct ordo_net_ptp_dataset *b);

enum ordo_net_ptp_state { ORDO_NET_PTP_LISTENING, ORDO_NET_PTP_MASTER, ORDO_NET_PTP_SLAVE, ORDO_NET_PTP_PASSIVE };

/** Returns the state that a port must take. `own` is the dataset of the port's clock. `port_best` is the best dataset
 * that came to this port, and `best` the best dataset that came to any port of the clock; NULL: no dataset came. If
 * `best` came to this port, `best` and `port_best` must be the same pointer. */
enum ordo_net_ptp_state ordo_net_ptp_decide(const struct ordo_net_ptp_dataset *own,
                                            const struct ordo_net_ptp_dataset *port_best,
                                            const struct ordo_net_ptp_dataset *best);

#endif
