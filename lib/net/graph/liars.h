/* Bounds of the hosts of a mesh from its edges, even if some hosts lie.
 *
 * A liar can say anything about each of its edges: its own stamps, and as the first host of an edge also those of the
 * other host. So an edge is true if both its hosts are honest, and the promises are kept. At most K hosts lie; the
 * reference, host 0, is honest. A host counts as a liar if others can speak for it.
 *
 * Let F be a set of hosts without host 0, and E(F) the edges that have no end in F. A way from 0 to v in E(F) bounds
 * the potential of v by the sum of its edges, from above and from below. Let I(F, v) be the intersection of all these
 * bounds, found by shortest ways (R. Bellman, On a routing problem, 1958), or everything if there is no way. A loop of
 * edges whose sum is negative contradicts itself: some edge of it is false.
 *   [L1] Let S be the liars, and v honest. There is a set F with S in F, v not in F, and min(K, hosts - 2) members,
 *        because hosts - 2 hosts are neither 0 nor v. All edges of E(F) are true. So E(F) has no negative loop, and
 *        I(F, v) holds the truth.
 *   [L2] F is unknown. But take the union of I(F, v) over all F of min(K, hosts - 2) members, without v and without a
 *        negative loop in E(F): it holds I(F, v) of [L1], and so the truth.
 *   [L3] The union is bounded only if each of these F leaves a way: if v has an edge to host 0, or K + 1 ways that
 *        share no host between their ends (K. Menger, Zur allgemeinen Kurventheorie, 1927), or if the sets that cut v
 *        off contradict themselves.
 *   [L4] If no F is left for v, then v lies, or more than K hosts lie, or a promise was broken. If no F is left for
 *        host 0, more than K hosts lie or a promise was broken, and nothing is proved of any host.
 * With K = 0 there is one F, and one negative loop voids all.
 *
 * An edge (a, b) is read at an instant of clock a, and clock a is known only through other edges:
 *   [L5] An edge was read when clock a was ahead of host 0's by `about_ps`, which may be any number. In E(F) a tree of
 *        ways gives a an interval, which is true with F of [L1] by induction along the tree. If the potential of a
 *        differs from `about_ps` by at most u there, the offset of the edge differs from the one that was read by at
 *        most R u. So its interval, widened by R u, is true.
 *   [L6] Along an edge (a, b) from b to a, u is not known beforehand. If the interval of a without the widening is
 *        within x of `about_ps`, then u <= x + R u, and so u <= 2 x for R <= 1/2.
 * So liars outside F change nothing for an F that has a negative loop, and liars in F change nothing at all. */
#ifndef ORDO_NET_GRAPH_LIARS_H
#define ORDO_NET_GRAPH_LIARS_H

#include "net/graph/mesh.h"

/** The edges that were read. */
struct ordo_net_readings {
    const struct ordo_net_mesh *mesh;
    const bool *used;                   /* by edge; NULL: all */
    const struct ordo_interval *proved; /* by edge: b - a, [L5]; within 2^53, which a double holds exactly */
    const int64_t *about_ps;            /* by host; within 2^53 */
    double rate;                        /* R: bound on |rate of an edge's offset|; at most 1/2 */
};

/** The bounds from the readings; the arrays are the caller's. */
struct ordo_net_bounds {
    struct ordo_interval *potential; /* by host; [INT64_MIN, INT64_MAX]: unproved */
    bool *refuted;                   /* by host: [L4] */
    bool sound;                      /* host 0 is not refuted */
    int *loop, loops; /* the edges of a negative loop of all used edges, and their number; 0: none. Room: one for each
                       * host */
};

/** Returns the number of sets that ordo_net_mesh_bound judges, or INT_MAX if there are more. Its time is proportional
 * to this number. */
int ordo_net_liars_sets(int hosts, int liars);

/** Computes [L2] with K = `liars`. False if out of memory. */
bool ordo_net_mesh_bound(const struct ordo_net_readings *readings, int liars, struct ordo_net_bounds *bounds);

#endif
