/* The number of hosts that have a wrong claim if D is x: the function f of referee.h [R4]. */
#ifndef ORDO_NET_REFEREE_DEPTH_H
#define ORDO_NET_REFEREE_DEPTH_H

#include "net/referee/types.h"

/** A place where f changes: a host's claims begin to agree with x, or cease to. */
struct ordo_net_edge_of_depth {
    int64_t at_ns;
    int change; /* 1: from at_ns on, the claims of one more host contain x; -1: behind at_ns, one less */
};

struct ordo_net_depth {
    int hosts; /* number of hosts with a claim */
    int count;
    struct ordo_net_edge_of_depth *edge;
    struct ordo_interval within; /* f is only asked for x of this interval */
};

/** Makes the function from the views of the claims, for x of `within`. Views without proof count for nothing. False if
 * out of memory. */
bool ordo_net_depth_make(struct ordo_net_depth *depth, int hosts, const struct ordo_net_case *cases, int count,
                         struct ordo_interval within);
void ordo_net_depth_free(struct ordo_net_depth *depth);

/** Returns the least f(x) for x of both `in` and `within`; the number of hosts with a claim if there is no such x. */
int ordo_net_depth_least(const struct ordo_net_depth *depth, struct ordo_interval in);

#endif
