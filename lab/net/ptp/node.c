#include "lab/net/ptp/node.h"

#include <stddef.h>

enum { REFERENCE_CLASS = 6, DEFAULT_CLASS = 248, PRIORITY = 128, ACCURACY = 0x21, VARIANCE = 0x4e5d, LISTEN = 3 };

void ordo_net_ptp_node_make(struct ordo_net_ptp_node *node, int index, struct ordo_net_ptp_port *ports,
                            const int *links, int count)
{
    node->port = ports;
    node->ports = count;
    for (int i = 0; i < count; i++)
        ports[i] = (struct ordo_net_ptp_port){.id = {index, i + 1}, .link = links ? links[i] : -1};
    node->own = (struct ordo_net_ptp_dataset){.priority1 = PRIORITY,
                                              .clock_class = index == 0 ? REFERENCE_CLASS : DEFAULT_CLASS,
                                              .accuracy = ACCURACY,
                                              .variance = VARIANCE,
                                              .priority2 = PRIORITY,
                                              .identity = index,
                                              .sender = {index, 0},
                                              .receiver = {index, 0}};
}

static const struct ordo_net_ptp_dataset *best_of(struct ordo_net_ptp_node *node, int64_t now_ps, int64_t interval_ps)
{
    const struct ordo_net_ptp_dataset *best = NULL;
    for (int i = 0; i < node->ports; i++) {
        const struct ordo_net_ptp_dataset *found = ordo_net_ptp_best(&node->port[i].foreign, now_ps, interval_ps);
        best = ordo_net_ptp_is_better(found, best) ? found : best;
    }
    return best;
}

/* A node that has heard no master does not become a master before it has listened for three intervals. */
bool ordo_net_ptp_node_decide(struct ordo_net_ptp_node *node, int64_t now_ps, int64_t interval_ps)
{
    const struct ordo_net_ptp_dataset *best = best_of(node, now_ps, interval_ps);
    const struct ordo_net_ptp_port_id before = node->parent.sender;
    const bool had_master = node->slave, listens = !best && node->intervals++ < LISTEN;
    node->slave = NULL;
    for (int i = 0; i < node->ports && !listens; i++) {
        struct ordo_net_ptp_port *port = &node->port[i];
        port->state = ordo_net_ptp_decide(&node->own, ordo_net_ptp_best(&port->foreign, now_ps, interval_ps), best);
        if (port->state == ORDO_NET_PTP_SLAVE)
            node->slave = port;
    }
    if (node->slave)
        node->parent = *best;
    return node->slave && !(had_master && ordo_net_ptp_same_port(before, best->sender));
}

struct ordo_net_ptp_dataset ordo_net_ptp_node_announces(const struct ordo_net_ptp_node *node,
                                                        const struct ordo_net_ptp_port *port)
{
    struct ordo_net_ptp_dataset dataset = node->slave ? node->parent : node->own;
    dataset.steps += node->slave != NULL;
    dataset.sender = port->id;
    return dataset;
}
