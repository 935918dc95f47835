/* Links and nodes that fail for a while. */
#ifndef ORDO_LAB_NET_SIM_FAILURES_H
#define ORDO_LAB_NET_SIM_FAILURES_H

#include <stdbool.h>
#include <stdint.h>

#include "lab/net/sim/shape.h"

enum { ORDO_NET_FAILURES = 100 }; /* of each kind, at most */

struct ordo_net_outage {
    int from, to; /* what is lost both ways; `to` -1: all that comes to the node `from`, or leaves it */
    int64_t begin_ps, end_ps;
};

struct ordo_net_failures {
    int count;
    struct ordo_net_outage outages[2 * ORDO_NET_FAILURES];
};

/** So many links and nodes, each for `outage_ps` that begin at any time before `end_ps`. Host 0 does not fail, nor does a
 * link of its own: the others are judged by it. */
void ordo_net_failures_make(struct ordo_net_failures *failures, const struct ordo_net_shape *shape, int links,
                            int nodes, int64_t outage_ps, int64_t end_ps, uint64_t seed);

/** Whether what goes into this link at a time is lost. */
bool ordo_net_failures_lose(const struct ordo_net_failures *failures, const struct ordo_net_link *link, int64_t at_ps);

#endif
