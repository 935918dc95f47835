/* From the points of a window to the offsets of all hosts: likely ones, and proved bounds. */
#ifndef ORDO_NET_WINDOW_WINDOW_H
#define ORDO_NET_WINDOW_WINDOW_H

#include "net/graph/liars.h"
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
    int64_t *about_ps; /* by host: its edges were read when its clock was ahead of host 0's by this */

    int joined, *order, *via; /* the hosts that used edges join to host 0 */
    double *potential_ps;     /* by host, at that instant: likely; and proved */
    struct ordo_net_bounds bounds;
    int liars; /* hosts that may lie without making a bound wrong (net/graph/liars.h); 0 at first */
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

/** Fills in potentials and bounds for the instant at which host 0's clock shows `at_ps`. False if out of memory.
 *
 * The instant is told by host 0's clock, but an edge (a, b) by clock a, and is read where clock a most likely is then: as the tree of
 * shortest ways says by the lines of its edges. Wherever it is read, the bounds are true (net/graph/liars.h [L5]); the nearer, the
 * tighter. If liars are allowed for, and a lie led the tree astray, the edges are read again where the bounds are. */
bool ordo_net_window_at(struct ordo_net_window *window, int64_t at_ps);

/** Empties it for the next window. */
void ordo_net_window_forget(struct ordo_net_window *window);

#endif
