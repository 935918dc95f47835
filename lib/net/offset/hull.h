/* The points that bound the offset: the lower convex hull of the forward ones and the upper one of the reverse ones.
 *
 * A line that lies below all points lies below their hull, and any line's smallest distance is to a corner of it: so both the
 * best corridor and the proved interval need the corners only. (A. M. Andrew, Another efficient algorithm for convex hulls in two
 * dimensions, Information Processing Letters 9(5), 1979.) */
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

/** The hulls of samples with at least one point in each direction. False where memory ran out. */
bool ordo_net_hulls_make(struct ordo_net_hulls *hulls, const struct ordo_net_samples *samples);
void ordo_net_hulls_free(struct ordo_net_hulls *hulls);

/** The widest corridor between the hulls that a line has to itself, measured along the offset: the line in its middle, told at
 * `at_ps`, and half its width, which is negative where no line is above all reverse and below all forward points. */
struct ordo_net_line ordo_net_corridor(const struct ordo_net_hulls *hulls, int64_t at_ps, double *half_ps);

/** What is promised of two clocks and their stamps. */
struct ordo_net_limits {
    double rate;      /* |rate of the offset|, at most */
    double change;    /* by how much that rate differs from itself within a window, at most */
    int64_t stamp_ps; /* by which a delta can be too small, or too large the other way */
};

/** An interval that holds the offset at `at_ps` on clock a, if the limits are true. Empty where the points contradict them.
 *
 * Argument. Let o be the offset. A forward point (x, y) says o(x) <= y + s, s the error of the stamps.
 *   [H1] |o'| <= R, so o(t) <= y + s + R |x - t|.
 *   [H2] |o'(u) - o'(t)| <= W for all u of the window, so o(x) >= o(t) + o'(t) (x - t) - W |x - t|. Of two points with
 *        x1 <= t <= x2, weighted so that the weighted mean of x is t, the terms with o'(t) cancel: o(t) is at most the weighted mean
 *        of y + s + W |x - t|.
 * Both hold for every point and every pair, so for the best; and with the signs turned for reverse points. Nothing is assumed of
 * delays. Rounding is outward by 1 ps. */
struct ordo_interval ordo_net_hulls_prove(const struct ordo_net_hulls *hulls, int64_t at_ps,
                                          const struct ordo_net_limits *limits);

#endif
