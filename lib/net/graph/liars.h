/* Bounds the potentials of the hosts of a mesh by the intervals of its edges, even if some hosts lie.
 *
 * A liar can report anything about each of its edges: its own stamps, and, as the first host of an edge, also those of
 * the other host. So an edge is true if both its hosts are honest, and the promises about clocks are kept. At most K
 * hosts lie; the reference, host 0, is honest. A host counts as a liar if others can send messages in its name.
 *
 * Let F be a set of hosts without host 0, and E(F) the edges that have no end in F. A path from 0 to v in E(F) bounds
 * the potential of v from above and from below, by the sum of the bounds of its edges. Let I(F, v) be the intersection
 * of the intervals of all these paths, computed by shortest paths (R. Bellman, On a routing problem, 1958); without a
 * path, I(F, v) is everything. If the upper bounds along a loop have a negative sum, an edge of the loop is false.
 *   [L1] Let S be the liars, and v honest. There is a set F with S in F, v not in F, and min(K, hosts - 2) members,
 *        because hosts - 2 hosts are neither 0 nor v. All edges of E(F) are true. So E(F) has no negative loop, and
 *        I(F, v) contains the true potential.
 *   [L2] The F of [L1] is unknown. But the union of I(F, v) over all F with min(K, hosts - 2) members, without v in F
 *        and without a negative loop in E(F), contains the I(F, v) of [L1], and so the true potential.
 *   [L3] The union is bounded only if every such F leaves a path from 0 to v. This is true if v has an edge to host 0;
 *        or if there are K + 1 paths from 0 to v that have only their ends in common (K. Menger, Zur allgemeinen
 *        Kurventheorie, 1927); or if E(F) has a negative loop for every F that leaves no path.
 *   [L4] If there is no such F for v, then v lies, or more than K hosts lie, or a promise was broken. If there is no
 *        such F for host 0, more than K hosts lie or a promise was broken, and nothing is proved about any host.
 * With K = 0 there is one F, the empty set, and a single negative loop leaves nothing proved.
 *
 * The interval of an edge (a, b) is computed for a reading of clock a, but clock a is known only through other edges:
 *   [L5] Let T be the reading of host 0's clock. The interval of the edge was computed for the reading T + about_ps of
 *        clock a; about_ps may be any number. In E(F), a tree of paths from host 0 gives an interval of a's potential.
 *        For the F of [L1], this interval is true, by induction along the tree. If it is within u of about_ps, then the
 *        offset of the edge at the true reading of clock a differs by at most R u from that at T + about_ps. So the
 *        interval of the edge, widened by R u, is true.
 *   [L6] If the tree goes along an edge (a, b) from b to a, then u is not known beforehand. Let the interval of a that
 *        follows without widening be within x of about_ps. Then u <= x + R u, so u <= 2 x for R <= 1/2.
 *
 * The difference of two potentials often has a narrower interval than the two potentials have, because a path from u to
 * v need not pass host 0:
 *   [L7] Let u and v be honest, and neither of them host 0. The sum of the bounds along a path from u to v in E(F)
 *        bounds the potential of v minus that of u. There is a set F with S in F, u and v not in F, and
 *        min(K, hosts - 3) members, because hosts - 3 hosts are none of 0, u and v. So, as in [L1] and [L2], the largest
 *        shortest path from u to v over all F with this number of members, without u and v in F and without a negative
 *        loop in E(F), is an upper bound of the difference; with u and v exchanged it is a lower bound. An edge whose
 *        first host is not connected to host 0 in E(F) is not used, because [L5] does not hold for it.
 *   [L8] If an upper bound of an edge is larger than 2^52, the edge is left out, and if it is less than -2^52, it is
 *        -2^52. Both make bounds wider only, and make no negative loop. A path has fewer than 1024 edges, so no sum
 *        overflows.
 * So liars in F do not influence I(F, v). If E(F) has a negative loop, F is not used, so liars outside F have no
 * influence through this F. */
#ifndef ORDO_NET_GRAPH_LIARS_H
#define ORDO_NET_GRAPH_LIARS_H

#include "net/graph/mesh.h"

/** The intervals of the edges. */
struct ordo_net_readings {
    const struct ordo_net_mesh *mesh;
    const bool *used;                   /* by edge: true if it is used; NULL: all are used */
    const struct ordo_interval *proved; /* by edge: interval of b - a [L5]; within +- 2^53, which a double can hold */
    const int64_t *about_ps;            /* by host [L5]; within +- 2^53 */
    double rate;                        /* R [L5]: bound on |rate of an edge's offset|; at most 1/2 */
};

/** The results. The caller provides the arrays. */
struct ordo_net_bounds {
    struct ordo_interval *potential; /* by host: interval of its potential; [INT64_MIN, INT64_MAX]: unproved */
    bool *refuted;                   /* by host: true if there is no F for it [L4] */
    bool sound;                      /* true if host 0 is not refuted */
    int *loop, loops; /* the edges of a negative loop of used edges, and their number; 0: there is no such loop. The
                       * array needs an element for each host */
};

/** Returns the number of sets F that ordo_net_mesh_bound judges, at most INT_MAX. The time of ordo_net_mesh_bound is
 * proportional to this number. */
int ordo_net_liars_sets(int hosts, int liars);

/** Computes the union of [L2] for every host, with K = `liars`. False if out of memory. */
bool ordo_net_mesh_bound(const struct ordo_net_readings *readings, int liars, struct ordo_net_bounds *bounds);

/** Computes [L7] for all pairs, with K = `liars`: most_ps[u * hosts + v] is an upper bound of the potential of v minus
 * that of u, for u and v from 1 to hosts - 1. INT64_MAX: there is no bound. INT64_MIN: there is no F for the pair. Other
 * elements are not set. There must be at most 1024 hosts. False if out of memory. The time is proportional to
 * ordo_net_pairs_steps(). */
bool ordo_net_mesh_bound_pairs(const struct ordo_net_readings *readings, int liars, int64_t *most_ps);

/** Returns the number of edges that ordo_net_mesh_bound_pairs looks at, apart from a factor of about 10. */
double ordo_net_pairs_steps(const struct ordo_net_mesh *mesh, int liars);

#endif
