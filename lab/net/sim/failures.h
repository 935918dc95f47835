/* Links and nodes that fail for a while. */
#ifndef ORDO_LAB_NET_SIM_FAILURES_H
#define ORDO_LAB_NET_SIM_FAILURES_H

#include <stdbool.h>
#include <stdint.h>

#include "lab/net/sim/shape.h"

enum { ORDO_NET_FAILURES = 100 }; /* largest number of failing links, and of failing nodes */

struct ordo_net_outage {
    int from, to; /* packets between these two nodes are lost; `to` is -1: all packets from or to `from` are lost */
    int64_t begin_ps, end_ps;
};

struct ordo_net_failures {
    int count;
    struct ordo_net_outage outages[2 * ORDO_NET_FAILURES];
};

/** Chooses `links` links and `nodes` nodes that fail, each for `outage_ps` from a random time before `end_ps`. Host 0
 * and its links do not fail, because the other hosts are judged by host 0. */
void ordo_net_failures_make(struct ordo_net_failures *failures, const struct ordo_net_shape *shape, int links,
                            int nodes, int64_t outage_ps, int64_t end_ps, uint64_t seed);

/** True if a packet that enters the link at `at_ps` is lost. */
bool ordo_net_failures_lose(const struct ordo_net_failures *failures, const struct ordo_net_link *link, int64_t at_ps);

#endif
