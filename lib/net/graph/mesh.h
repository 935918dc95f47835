/* Who probes whom: a graph of hosts, and what measurements of its edges say about the hosts.
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

/** Every host picks `peers` others at random, of those it is not yet joined to, as long as there are some. Connected: a host
 * that no way joins to host 0 picks one more. False where memory ran out. */
bool ordo_net_mesh_make(struct ordo_net_mesh *mesh, int hosts, int peers, uint64_t seed);
/** A random graph in which every host has `degree` others: hosts - 1 of them where that is less, and one more where hosts and degree
 * are odd, for there is no such graph. Connected. False where memory ran out.
 *
 * By random switches of the ends of two edges, of which a few for every edge forget where it began (C. Cooper, M. Dyer,
 * C. Greenhill, Sampling regular graphs and a peer-to-peer network, Combinatorics, Probability and Computing 16(4), 2007). */
bool ordo_net_mesh_regular(struct ordo_net_mesh *mesh, int hosts, int degree, uint64_t seed);
void ordo_net_mesh_free(struct ordo_net_mesh *mesh);

/** The hosts in the order of their distance from host 0 along edges that are `used`: writes them to `order`, and to `via`, by
 * host, the edge to the one before it (-1 for host 0). Returns how many there are; the others are not joined. */
int ordo_net_mesh_walk(const struct ordo_net_mesh *mesh, const bool *used, int *order, int *via);

/** The potentials that come nearest to the offsets of the used edges, by least squares: what the loops contradict is spread over
 * their edges with the smallest norm. Hosts that are not joined keep what is in `potential`, which is also where the search
 * begins. False where memory ran out.
 *
 * Source: Geng et al., NSDI 2018, section 3.3, in the form of the normal equations: the matrix is the Laplacian of the graph. They
 * are solved by conjugate gradients with the degrees as preconditioner (Y. Saad, Iterative methods for sparse linear systems,
 * 2nd edition, SIAM 2003, algorithm 9.1). */
bool ordo_net_mesh_balance(const struct ordo_net_mesh *mesh, const bool *used, const double *offset, double *potential);

#endif
