/* The trees along which a packet goes from a host to all others: each node once, by a shortest way. */
#ifndef ORDO_LAB_NET_SIM_TREES_H
#define ORDO_LAB_NET_SIM_TREES_H

#include <stdbool.h>
#include <stdint.h>

#include "lab/net/sim/shape.h"

struct ordo_net_trees {
    int hosts, *begin, *out; /* the links that leave a node: out[begin[node]] to out[begin[node + 1] - 1] */
    uint8_t **tree;          /* by host, once it was asked for; by link: whether it belongs to it */
};

/** False where memory ran out. */
bool ordo_net_trees_make(struct ordo_net_trees *trees, const struct ordo_net_shape *shape);
void ordo_net_trees_free(struct ordo_net_trees *trees);

/** By link: whether it belongs to the tree of this host. NULL: out of memory. */
const uint8_t *ordo_net_trees_of(struct ordo_net_trees *trees, const struct ordo_net_shape *shape, int host);

#endif
