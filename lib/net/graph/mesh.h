/* A graph of hosts that probe each other along its edges, and computations on the graph.
 *
 * Host 0 is the reference. The potential of a host is its clock minus that of host 0. A host is joined if a path of
 * used edges connects it to host 0. */
#ifndef ORDO_NET_GRAPH_MESH_H
#define ORDO_NET_GRAPH_MESH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/interval.h"

struct ordo_net_edge {
    int a, b;
};

struct ordo_net_mesh {
    int hosts, edges;
    struct ordo_net_edge *edge;
};

/** Makes a random connected graph: every host picks `peers` other hosts to which it has no edge yet, or fewer if there
 * are not enough. Then edges are added until the graph is connected. False if out of memory. */
bool ordo_net_mesh_make(struct ordo_net_mesh *mesh, int hosts, int peers, uint64_t seed);
/** Makes a random connected graph in which every host has the same number of neighbours. False if out of memory. The
 * number is
 * - hosts - 1, if hosts - 1 <= degree;
 * - else degree + 1, if hosts and degree are both odd, because no graph has an odd number of hosts of odd degree;
 * - else degree.
 *
 * The graph begins as a ring. Then random pairs of edges exchange an end, 10 times as often as there are edges (C.
 * Cooper, M. Dyer, C. Greenhill, Sampling regular graphs and a peer-to-peer network, Combinatorics, Probability and
 * Computing 16(4), 2007). */
bool ordo_net_mesh_regular(struct ordo_net_mesh *mesh, int hosts, int degree, uint64_t seed);
void ordo_net_mesh_free(struct ordo_net_mesh *mesh);

/** Finds the joined hosts, and returns their number. `used`: by edge; NULL: all edges are used.
 * order: the joined hosts, in the order of their distance from host 0
 * via: by host, the last edge of its shortest path from host 0; -1 for host 0, and -2 if the host is not joined */
int ordo_net_mesh_walk(const struct ordo_net_mesh *mesh, const bool *used, int *order, int *via);

/** Finds the potentials that fit the offsets of the used edges best, by least squares: the contradiction of a loop is
 * spread over the edges of the loop. `potential` contains the start of the search, and keeps its value for hosts that
 * are not joined. False if out of memory.
 *
 * Source: Geng et al., NSDI 2018, section 3.3, here as normal equations, whose matrix is the Laplacian of the graph.
 *     They are solved by conjugate gradients with the degrees as preconditioner (Y. Saad, Iterative methods for sparse
 *     linear systems, 2nd edition, SIAM 2003, algorithm 9.1). */
bool ordo_net_mesh_balance(const struct ordo_net_mesh *mesh, const bool *used, const double *offset, double *potential);

#endif
