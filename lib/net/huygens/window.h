/* From the points of a window to the offsets of all hosts: likely ones, and proved bounds. */
#ifndef ORDO_NET_HUYGENS_WINDOW_H
#define ORDO_NET_HUYGENS_WINDOW_H

#include "net/graph/mesh.h"
#include "net/offset/estimator.h"

struct ordo_net_window {
    const struct ordo_net_mesh *mesh;
    struct ordo_net_limits limits;
    bool balanced; /* the network effect; no: offsets are added up along the shortest ways from host 0 */

    bool *used; /* by edge: it has points both ways */
    struct ordo_net_hulls *hulls;
    struct ordo_net_samples *points; /* of ordo_net_window_prove; empty: there were none */
    struct ordo_net_line *line;
    double *offset_ps; /* by edge, at the instant of the last ordo_net_window_at */
    struct ordo_interval *proved;

    int joined, *order, *via; /* the hosts that used edges join to host 0 */
    double *potential_ps;     /* by host, at that instant */
    struct ordo_interval *bound;
    bool sound; /* the bounds do not contradict each other */
};

/** False where memory ran out. `mesh` must outlive it. */
bool ordo_net_window_make(struct ordo_net_window *window, const struct ordo_net_mesh *mesh);
void ordo_net_window_free(struct ordo_net_window *window);

/** Takes over the points of one edge; one without points in some direction is not used. False where memory ran out. */
bool ordo_net_window_take(struct ordo_net_window *window, int edge, const struct ordo_net_samples *samples,
                          const struct ordo_net_offset_estimator *estimator);

/** Proves by these points, of an edge that was taken, instead of by those that its estimate is of: a bound wants every probe, also those
 * that had to wait, and each of them by itself (net/offset/cone.h). They must stay until ordo_net_window_forget. False where memory
 * ran out. */
bool ordo_net_window_prove(struct ordo_net_window *window, int edge, const struct ordo_net_samples *samples);

/** After all edges: finds which hosts are joined. */
void ordo_net_window_close(struct ordo_net_window *window);

/** Fills in potentials and bounds for the instant at which host 0's clock shows `at_ps`. False where memory ran out.
 *
 * The instant is told by host 0's clock, but an edge (a, b) by clock a. Of that the tree of shortest ways knows a proved interval, and
 * a likely value, at which the edge is read.
 *   [W1] If the truth differs from that value by at most u, the offset changes by at most R u between them. So the edge's
 *        proved interval, widened by R u to both sides, holds the offset at the instant itself.
 *   [W2] By induction along the tree the interval of each host is proved: host 0's is [0, 0], and the next one's is that of the one
 *        before it and the edge's. */
bool ordo_net_window_at(struct ordo_net_window *window, int64_t at_ps);

/** Empties it for the next window. */
void ordo_net_window_forget(struct ordo_net_window *window);

#endif
