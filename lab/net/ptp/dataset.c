#include "lab/net/ptp/dataset.h"

#include <stddef.h>

enum { REFERENCE_CLASS_MOST = 127 /* a clock of this class or below has a time of its own, and is never a slave */ };

bool ordo_net_ptp_same_port(struct ordo_net_ptp_port_id a, struct ordo_net_ptp_port_id b)
{
    return a.node == b.node && a.port == b.port;
}

static int compare_numbers(int a, int b)
{
    return (a > b) - (a < b);
}

static int compare_ports(struct ordo_net_ptp_port_id a, struct ordo_net_ptp_port_id b)
{
    return a.node != b.node ? compare_numbers(a.node, b.node) : compare_numbers(a.port, b.port);
}

/* Compares two grandmasters. Returns a negative number if a is better. */
static int compare_masters(const struct ordo_net_ptp_dataset *a, const struct ordo_net_ptp_dataset *b)
{
    const int order[] = {compare_numbers(a->priority1, b->priority1), compare_numbers(a->clock_class, b->clock_class),
                         compare_numbers(a->accuracy, b->accuracy),   compare_numbers(a->variance, b->variance),
                         compare_numbers(a->priority2, b->priority2), compare_numbers(a->identity, b->identity)};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (order[i])
            return order[i];
    return 0;
}

/* Compares two paths from one grandmaster whose numbers of steps differ by at most 1. A path with one step more is
 * worse. If the id of its receiver is greater than the id of its sender, the path is worse only by its place, which
 * tells the receiver that there is another path. */
static enum ordo_net_ptp_order compare_ways(const struct ordo_net_ptp_dataset *a, const struct ordo_net_ptp_dataset *b)
{
    if (a->steps > b->steps)
        return compare_ports(a->receiver, a->sender) < 0 ? ORDO_NET_PTP_WORSE : ORDO_NET_PTP_WORSE_BY_PLACE;
    if (a->steps < b->steps)
        return compare_ports(b->receiver, b->sender) < 0 ? ORDO_NET_PTP_BETTER : ORDO_NET_PTP_BETTER_BY_PLACE;
    int senders = compare_ports(a->sender, b->sender);
    int place = senders ? senders : compare_numbers(a->receiver.port, b->receiver.port);
    return place < 0 ? ORDO_NET_PTP_BETTER_BY_PLACE : place > 0 ? ORDO_NET_PTP_WORSE_BY_PLACE : ORDO_NET_PTP_SAME;
}

enum ordo_net_ptp_order ordo_net_ptp_compare(const struct ordo_net_ptp_dataset *a, const struct ordo_net_ptp_dataset *b)
{
    int masters = a->identity == b->identity ? 0 : compare_masters(a, b);
    if (masters)
        return masters < 0 ? ORDO_NET_PTP_BETTER : ORDO_NET_PTP_WORSE;
    if (a->steps > b->steps + 1)
        return ORDO_NET_PTP_WORSE;
    return b->steps > a->steps + 1 ? ORDO_NET_PTP_BETTER : compare_ways(a, b);
}

bool ordo_net_ptp_is_better(const struct ordo_net_ptp_dataset *a, const struct ordo_net_ptp_dataset *b)
{
    return a && (!b || ordo_net_ptp_compare(a, b) <= ORDO_NET_PTP_BETTER_BY_PLACE);
}

enum ordo_net_ptp_state ordo_net_ptp_decide(const struct ordo_net_ptp_dataset *own,
                                            const struct ordo_net_ptp_dataset *port_best,
                                            const struct ordo_net_ptp_dataset *best)
{
    if (own->clock_class <= REFERENCE_CLASS_MOST)
        return ordo_net_ptp_is_better(port_best, own) ? ORDO_NET_PTP_PASSIVE : ORDO_NET_PTP_MASTER;
    if (!ordo_net_ptp_is_better(best, own))
        return ORDO_NET_PTP_MASTER;
    if (best == port_best)
        return ORDO_NET_PTP_SLAVE;
    return port_best && ordo_net_ptp_compare(best, port_best) == ORDO_NET_PTP_BETTER_BY_PLACE ? ORDO_NET_PTP_PASSIVE
                                                                                              : ORDO_NET_PTP_MASTER;
}
