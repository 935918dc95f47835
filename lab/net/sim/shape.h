/* The shape of a network: hosts and switches, the directed links between them, and the shortest paths (ways) to each
 * host. */
#ifndef ORDO_LAB_NET_SIM_SHAPE_H
#define ORDO_LAB_NET_SIM_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

enum ordo_net_shape_kind {
    ORDO_NET_STAR,  /* one switch */
    ORDO_NET_CHAIN, /* switches in a row, with 8 hosts each */
    ORDO_NET_RING,  /* switches in a ring, with 8 hosts each */
    ORDO_NET_TREE,  /* switches with 8 hosts each, below switches with 4 switches each, up to one root */
    ORDO_NET_CLOS,  /* leaves with 16 hosts each, and as many spines as a leaf has hosts, each joined to all leaves */
    ORDO_NET_LINE,  /* hosts in a row, each joined to the next, and no switch */
    /* Three stages of switches with k ports each: k pods of k/2 edge switches, each with k/2 hosts, and of k/2
     * aggregation switches, below (k/2)^2 core switches, which each join all pods. k is the smallest even number with
     * room for all hosts, k^3/4. Two hosts of different pods have (k/2)^2 shortest paths.
     * (M. Al-Fares, A. Loukissas, A. Vahdat, A scalable, commodity data center network architecture, SIGCOMM 2008.) */
    ORDO_NET_FAT_TREE,
    ORDO_NET_SHAPES /* number of shapes */
};

/** Returns "star", "chain", "ring", "tree", "clos", "line" or "fat-tree"; NULL for a greater number. */
const char *ordo_net_shape_name(int kind);

/** A directed link. The port at its beginning has the same index as the link. */
struct ordo_net_link {
    int from, to;
};

/** Nodes 0 to hosts - 1 are the hosts, the others switches. */
struct ordo_net_shape {
    int hosts, nodes, links, hops; /* hops: number of links between the two hosts that are farthest apart */
    bool several;                  /* a path has several switches with several ways */
    struct ordo_net_link *link;
    int *way_begin; /* by node and host: the index of its first way in `ways`; nodes * hosts + 1 entries */
    int *ways;      /* the first links of the ways */
};

/** Makes a shape. ORDO_E_INVALID: fewer than 2 hosts, or more than 4096; ORDO_E_SYSTEM: out of memory. */
int ordo_net_shape_make(struct ordo_net_shape *shape, enum ordo_net_shape_kind kind, int hosts,
                        struct ordo_error *error);
void ordo_net_shape_free(struct ordo_net_shape *shape);

/** Returns the link by which a packet of this flow leaves `node` for `host`: the first link of a way, always the same
 * way for one flow. Each switch picks among its equal ways by a hash of its own, so that the flows spread over all
 * paths. */
int ordo_net_shape_next(const struct ordo_net_shape *shape, int node, int host, uint32_t flow);

#endif
