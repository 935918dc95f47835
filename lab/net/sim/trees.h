/* The trees along which a packet goes from a host to all others: it comes to each node once, by a shortest path. */
#ifndef ORDO_LAB_NET_SIM_TREES_H
#define ORDO_LAB_NET_SIM_TREES_H

#include <stdbool.h>
#include <stdint.h>

#include "lab/net/sim/shape.h"

struct ordo_net_trees {
    int hosts, *begin, *out; /* the links that leave a node: out[begin[node]] to out[begin[node + 1] - 1] */
    uint8_t **tree;          /* by host, NULL until it is needed; by link: 1 if the link belongs to the tree */
};

/** Prepares the trees of a shape. Returns false if out of memory. */
bool ordo_net_trees_make(struct ordo_net_trees *trees, const struct ordo_net_shape *shape);
void ordo_net_trees_free(struct ordo_net_trees *trees);

/** Returns an array by link: 1 if the link belongs to the tree of this host. Returns NULL if out of memory. */
const uint8_t *ordo_net_trees_of(struct ordo_net_trees *trees, const struct ordo_net_shape *shape, int host);

#endif
