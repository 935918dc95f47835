/* The points that bound the offset: the lower convex hull of the forward points and the upper one of the reverse
 * points.
 *
 * A line below all points is below their hull, and the smallest distance of any line from the points is to a corner of
 * the hull. So the best corridor and the proved interval need only the corners. (A. M. Andrew, Another efficient
 * algorithm for convex hulls in two dimensions, Information Processing Letters 9(5), 1979.) */
#ifndef ORDO_NET_OFFSET_HULL_H
#define ORDO_NET_OFFSET_HULL_H

#include "net/offset/samples.h"

struct ordo_net_hull {
    struct ordo_net_point *corner; /* in the order of time */
    size_t corners;
};

struct ordo_net_hulls {
    struct ordo_net_hull above, below; /* the offset */
};

/** Makes the hulls of samples with at least one point in each direction. False if out of memory. */
bool ordo_net_hulls_make(struct ordo_net_hulls *hulls, const struct ordo_net_samples *samples);
void ordo_net_hulls_free(struct ordo_net_hulls *hulls);

/** Finds the widest corridor between the hulls, measured along the offset, that contains no point. Returns the line in
 * its middle, at `at_ps`, and half its width. The width is negative if no line is above all reverse and below all
 * forward points. */
struct ordo_net_line ordo_net_corridor(const struct ordo_net_hulls *hulls, int64_t at_ps, double *half_ps);

/** The promises about two clocks and their stamps. */
struct ordo_net_limits {
    double rate;      /* bound on |rate of the offset| */
    double change;    /* bound on the difference of two such rates within a window */
    int64_t stamp_ps; /* bound on the error of a delta, in both directions */
};

/** Returns an interval that holds the offset at `at_ps` on clock a, if the limits are true. Empty if the points
 * contradict the limits.
 *
 * Argument. Let o be the offset. A forward point (x, y) says o(x) <= y + s, s the error of the stamps.
 *   [H1] |o'| <= R, so o(t) <= y + s + R |x - t|.
 *   [H2] |o'(u) - o'(t)| <= W for all u of the window, so o(x) >= o(t) + o'(t) (x - t) - W |x - t|. Take two points
 *        with x1 <= t <= x2, weighted so that the weighted mean of x is t: the terms with o'(t) cancel, and o(t) is at
 *        most the weighted mean of y + s + W |x - t|.
 * Both hold for every point and every pair, and so for the best one; with the signs turned also for reverse points.
 * Nothing is assumed about delays. Rounding is outward by 1 ps. */
struct ordo_interval ordo_net_hulls_prove(const struct ordo_net_hulls *hulls, int64_t at_ps,
                                          const struct ordo_net_limits *limits);

#endif
