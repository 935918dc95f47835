/* A graph of hosts that probe each other, and the conclusions from measurements of its edges.
 *
 * Host 0 is the reference. The potential of a host is its clock minus that of host 0. */
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

/** Makes a random graph: every host picks `peers` others that it is not yet joined to, as long as there are some.
 * Connected: a host that no way joins to host 0 picks one more. False if out of memory. */
bool ordo_net_mesh_make(struct ordo_net_mesh *mesh, int hosts, int peers, uint64_t seed);
/** Makes a random graph in which every host has `degree` neighbours: hosts - 1 if that is less, and degree + 1 if hosts
 * and degree are both odd, because no graph has an odd number of hosts of odd degree. Connected. False if out of
 * memory.
 *
 * Random switches of the ends of two edges, a few for every edge, forget the ring that the graph began as (C. Cooper,
 * M. Dyer, C. Greenhill, Sampling regular graphs and a peer-to-peer network, Combinatorics, Probability and Computing
 * 16(4), 2007). */
bool ordo_net_mesh_regular(struct ordo_net_mesh *mesh, int hosts, int degree, uint64_t seed);
void ordo_net_mesh_free(struct ordo_net_mesh *mesh);

/** Writes the hosts to `order`, by their distance from host 0 along `used` edges, and to `via`, by host, the edge to
 * the host before it (-1 for host 0). Returns the number of these hosts; the others are not joined. */
int ordo_net_mesh_walk(const struct ordo_net_mesh *mesh, const bool *used, int *order, int *via);

/** Finds the potentials nearest to the offsets of the used edges, by least squares: contradictions of a loop are spread
 * over its edges with the smallest norm. `potential` is the start of the search, and keeps its value for hosts that are
 * not joined. False if out of memory.
 *
 * Source: Geng et al., NSDI 2018, section 3.3, in the form of the normal equations: the matrix is the Laplacian of the
 *     graph. They are solved by conjugate gradients with the degrees as preconditioner (Y. Saad, Iterative methods for
 *     sparse linear systems, 2nd edition, SIAM 2003, algorithm 9.1). */
bool ordo_net_mesh_balance(const struct ordo_net_mesh *mesh, const bool *used, const double *offset, double *potential);

#endif
