/* A clock of PTP and its ports, while the protocol runs. */
#ifndef ORDO_LAB_NET_PTP_NODE_H
#define ORDO_LAB_NET_PTP_NODE_H

#include "lab/net/ptp/exchange.h"
#include "lab/net/ptp/foreign.h"
#include "lab/net/ptp/message.h"
#include "lab/net/ptp/system.h"
#include "lab/net/servo/pi.h"

struct ordo_net_ptp_port {
    struct ordo_net_ptp_port_id id;
    int link; /* the link over which it sends; -1: it sends to the whole segment */
    enum ordo_net_ptp_state state;
    struct ordo_net_ptp_foreign foreign;
    struct ordo_net_ptp_peer {
        struct ordo_net_ptp_exchange link; /* only its delays */
        uint16_t sequence;                 /* of the last Pdelay_Req */
        bool awaits_answer, awaits_follow_up;
        int64_t asked_ps, answered_ps, came_ps; /* came_ps: when the question came, by the peer's clock */
    } peer;
};

struct ordo_net_ptp_node {
    struct ordo_net_ptp_port *port;
    int ports, intervals;                    /* `intervals`: number of intervals for which it has listened */
    struct ordo_net_ptp_dataset own, parent; /* parent: the dataset that its master announces */
    struct ordo_net_ptp_port *slave;         /* NULL: it has no master */
    struct ordo_net_steered clock;
    struct ordo_net_pi servo;
    struct ordo_net_ptp_exchange exchange;
    uint16_t sync_sequence, delay_sequence; /* of the last Sync, and of the last Delay_Req, that it sent */
    bool awaits_follow_up, awaits_answer;
    bool follows, measured;                   /* it has a delay to its present master; it has ever had a delay */
    uint16_t sync_came;                       /* the sequence of the last Sync that came */
    int64_t came_ps, correction_ps, asked_ps; /* of this Sync; asked_ps: stamp of its own last Delay_Req */
};

/** Makes node `index` with a port for each of its links, or, if `links` is NULL, one port for the whole segment. */
void ordo_net_ptp_node_make(struct ordo_net_ptp_node *node, int index, struct ordo_net_ptp_port *ports,
                            const int *links, int count);

/** Decides the state of each port. Returns true if the node has a new master. */
bool ordo_net_ptp_node_decide(struct ordo_net_ptp_node *node, int64_t now_ps, int64_t interval_ps);

/** Returns the dataset that a port of the node announces. */
struct ordo_net_ptp_dataset ordo_net_ptp_node_announces(const struct ordo_net_ptp_node *node,
                                                        const struct ordo_net_ptp_port *port);

#endif
