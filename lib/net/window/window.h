/* Computes the offsets of all hosts from the points of a window: estimates and proved bounds. */
#ifndef ORDO_NET_WINDOW_WINDOW_H
#define ORDO_NET_WINDOW_WINDOW_H

#include "net/graph/liars.h"
#include "net/offset/estimator.h"

struct ordo_net_window {
    const struct ordo_net_mesh *mesh;
    struct ordo_net_limits limits;
    bool balanced; /* true: use the network effect; false: add up offsets along the shortest paths from host 0 */

    bool *used; /* by edge: true if it has points in both directions */
    struct ordo_net_hulls *hulls;
    struct ordo_net_samples *points; /* by edge: points of ordo_net_window_prove; empty: none */
    struct ordo_net_line *line;
    double *offset_ps; /* by edge: offset at the instant of the last ordo_net_window_at */
    struct ordo_interval *proved;
    int64_t *about_ps; /* by host: the assumed potential for which its edges were read (net/graph/liars.h [L5]) */

    int joined, *order, *via; /* number of joined hosts; order, via: see ordo_net_mesh_walk */
    double *potential_ps;     /* by host: estimated potential at the instant of the last ordo_net_window_at */
    struct ordo_net_bounds bounds;
    int liars; /* number of hosts that may lie (net/graph/liars.h); 0 at first */
};

/** Makes a window for the edges of `mesh`, which must outlive it. False if out of memory. */
bool ordo_net_window_make(struct ordo_net_window *window, const struct ordo_net_mesh *mesh);
void ordo_net_window_free(struct ordo_net_window *window);

/** Takes the points of one edge, and estimates its line. If a direction has no points, the edge is not used. False if
 * out of memory. */
bool ordo_net_window_take(struct ordo_net_window *window, int edge, const struct ordo_net_samples *samples,
                          const struct ordo_net_offset_estimator *estimator);

/** Sets the points for the bounds of an edge that was taken; without this call, they are the points of the estimate.
 * Bounds are tighter with all probes, including those that waited in a queue. The points must stay valid until
 * ordo_net_window_forget. False if out of memory. */
bool ordo_net_window_prove(struct ordo_net_window *window, int edge, const struct ordo_net_samples *samples);

/** Finds the joined hosts. Call after all edges were taken. */
void ordo_net_window_close(struct ordo_net_window *window);

/** Computes potentials and bounds for the instant at which host 0's clock shows `at_ps`. False if out of memory.
 *
 * The line of an edge (a, b) is a function of clock a. So each edge is read at the estimated reading of clock a: at_ps
 * plus the sum of the lines along the shortest path from host 0. The bounds are true for any reading (net/graph/liars.h
 * [L5]), and tighter if the reading is more exact. With `liars` > 0, a lie may make the estimate wrong; if the bounds
 * show this, the edges are read once more within the bounds. */
bool ordo_net_window_at(struct ordo_net_window *window, int64_t at_ps);

/** Computes the bounds of the differences of all potentials, as ordo_net_mesh_bound_pairs, for the instant of the last
 * ordo_net_window_at. False if out of memory. */
bool ordo_net_window_pairs(const struct ordo_net_window *window, int64_t *most_ps);

/** Removes all points, to use the memory for the next window. */
void ordo_net_window_forget(struct ordo_net_window *window);

#endif
