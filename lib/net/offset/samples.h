/* Points. A probe has two stamps, a on the clock of host a and b on the clock of host b, and gives the point (a, b -
 * a).
 *
 * Sign everywhere: the offset of an edge (a, b) is clock b minus clock a, at an instant of clock a.
 * - A forward probe goes from a to b. Its delta b - a is at least the offset at the instant when it was sent.
 * - A reverse probe goes from b to a. Its delta b - a is at most the offset at the instant when it arrived.
 * So forward points are above the offset, reverse points are below the offset, and the points with the smallest delays
 * are nearest to the offset. */
#ifndef ORDO_NET_OFFSET_SAMPLES_H
#define ORDO_NET_OFFSET_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/interval.h"

struct ordo_net_point {
    int64_t at_ps;    /* instant on clock a */
    int64_t delta_ps; /* stamp of clock b minus stamp of clock a */
};

/** The points of one edge and one window, each direction in the order of `at_ps`. */
struct ordo_net_samples {
    struct ordo_net_point *forward, *reverse;
    size_t forwards, reverses;
};

/** An offset that changes at a constant rate: offset(t) = offset_ps + slope (t - at_ps). */
struct ordo_net_line {
    int64_t at_ps;
    double offset_ps, slope;
};

static inline double ordo_net_line_at(const struct ordo_net_line *line, int64_t at_ps)
{
    return line->offset_ps + line->slope * (double)(at_ps - line->at_ps);
}

/** Sorts points by `at_ps`. Fast if the points are nearly sorted already. */
void ordo_net_points_sort(struct ordo_net_point *points, size_t count);

#endif
