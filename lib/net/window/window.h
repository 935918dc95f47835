/* Computes the offsets of all hosts from the points of a window: estimates, and proved bounds. */
#ifndef ORDO_NET_WINDOW_WINDOW_H
#define ORDO_NET_WINDOW_WINDOW_H

#include "net/graph/liars.h"
#include "net/offset/estimator.h"

struct ordo_net_window {
    const struct ordo_net_mesh *mesh;
    struct ordo_net_limits limits;
    bool balanced; /* the network effect; false: offsets are added up along the shortest ways from host 0 */

    bool *used; /* by edge: it has points in both directions */
    struct ordo_net_hulls *hulls;
    struct ordo_net_samples *points; /* of ordo_net_window_prove; empty: none */
    struct ordo_net_line *line;
    double *offset_ps; /* by edge, at the instant of the last ordo_net_window_at */
    struct ordo_interval *proved;
    int64_t *about_ps; /* by host: its edges were read when its clock was ahead of host 0's by this */

    int joined, *order, *via; /* the hosts that used edges join to host 0 */
    double *potential_ps;     /* by host, at this instant: estimate; proved bounds */
    struct ordo_net_bounds bounds;
    int liars; /* number of hosts that may lie without making a bound wrong (net/graph/liars.h); 0 at first */
};

/** False if out of memory. `mesh` must outlive it. */
bool ordo_net_window_make(struct ordo_net_window *window, const struct ordo_net_mesh *mesh);
void ordo_net_window_free(struct ordo_net_window *window);

/** Takes the points of one edge. The edge is not used if a direction has no points. False if out of memory. */
bool ordo_net_window_take(struct ordo_net_window *window, int edge, const struct ordo_net_samples *samples,
                          const struct ordo_net_offset_estimator *estimator);

/** Makes the bounds of an edge that was taken. Uses these points instead of those of its estimate, because a bound
 * needs every probe, also those that waited in a queue, and each by itself (net/offset/cone.h). The points must stay
 * until ordo_net_window_forget. False if out of memory. */
bool ordo_net_window_prove(struct ordo_net_window *window, int edge, const struct ordo_net_samples *samples);

/** After all edges: finds the joined hosts. */
void ordo_net_window_close(struct ordo_net_window *window);

/** Computes potentials and bounds for the instant at which host 0's clock shows `at_ps`. False if out of memory.
 *
 * The instant is one of host 0's clock, but an edge (a, b) is read by clock a: at its most likely reading then, which
 * the tree of shortest ways estimates by the lines of its edges. The bounds are true at whichever reading the edge is
 * read (net/graph/liars.h [L5]), and tighter at a nearer one. If liars are allowed for, and a lie led the tree astray,
 * the edges are read again within the bounds. */
bool ordo_net_window_at(struct ordo_net_window *window, int64_t at_ps);

/** Empties it for the next window. */
void ordo_net_window_forget(struct ordo_net_window *window);

#endif
