/* The hulls that bound the offset: the lower convex hull of the forward points, and the upper convex hull of the
 * reverse points (A. M. Andrew, Another efficient algorithm for convex hulls in two dimensions, Information Processing
 * Letters 9(5), 1979).
 *
 * A line below all points is below their hull, and the point nearest to the line is a corner of the hull. So the widest
 * corridor and the proved interval need only the corners. */
#ifndef ORDO_NET_OFFSET_HULL_H
#define ORDO_NET_OFFSET_HULL_H

#include "net/offset/samples.h"

struct ordo_net_hull {
    struct ordo_net_point *corner; /* corners in the order of time */
    size_t corners;
};

struct ordo_net_hulls {
    struct ordo_net_hull above, below; /* above the offset: hull of the forward points; below: of the reverse points */
};

/** Makes the hulls of samples with at least one point in each direction. False if out of memory. */
bool ordo_net_hulls_make(struct ordo_net_hulls *hulls, const struct ordo_net_samples *samples);
void ordo_net_hulls_free(struct ordo_net_hulls *hulls);

/** Finds the widest corridor between the hulls that contains no point; its width is measured in the direction of the
 * offset. Returns its middle line, given at `at_ps`, and half its width. If no line separates the forward from the
 * reverse points, the width is negative. */
struct ordo_net_line ordo_net_corridor(const struct ordo_net_hulls *hulls, int64_t at_ps, double *half_ps);

/** The declared limits of two clocks and their stamps. */
struct ordo_net_limits {
    double rate;      /* bound on |rate of the offset| */
    double change;    /* bound on the difference between the rates of the offset at two instants of a window */
    int64_t stamp_ps; /* bound on |error of a delta| */
};

/** Returns an interval that contains the offset at `at_ps` on clock a, if the limits are true. If the points contradict
 * the limits, the interval may be empty.
 *
 * Argument. Let o be the offset, R = rate, W = change and s = stamp_ps. A forward point (x, y) means o(x) <= y + s.
 *   [H1] |o'| <= R, so o(t) <= y + s + R |x - t|.
 *   [H2] |o'(u) - o'(t)| <= W for all u of the window, so o(x) >= o(t) + o'(t) (x - t) - W |x - t|. Take two points
 *        with x1 <= t <= x2, and weights for which the weighted mean of x1 and x2 is t. In the weighted mean of this
 *        inequality, the terms with o'(t) cancel. So o(t) is at most the weighted mean of y + s + W |x - t|.
 * The function takes the tightest of these bounds over all corners and all adjacent pairs. Reverse points give lower
 * bounds in the same way. Nothing is assumed about delays. Rounding is outward by 1 ps. */
struct ordo_interval ordo_net_hulls_prove(const struct ordo_net_hulls *hulls, int64_t at_ps,
                                          const struct ordo_net_limits *limits);

#endif
