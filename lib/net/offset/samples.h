/* Points: the differences of stamps that probes between two hosts found.
 *
 * Sign everywhere: the offset of an edge (a, b) is clock b minus clock a, at an instant of clock a. A forward probe
 * goes from a to b, and b - a of its stamps is at least the offset at the instant it was sent. A reverse probe goes
 * from b to a, and b - a of its stamps is at most the offset at the instant it came. So forward points are above the
 * offset, reverse points are below it, and points of the least delays are next to it. */
#ifndef ORDO_NET_OFFSET_SAMPLES_H
#define ORDO_NET_OFFSET_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/interval.h"

struct ordo_net_point {
    int64_t at_ps;    /* on clock a */
    int64_t delta_ps; /* b - a of the stamps */
};

/** The points of one edge and one window, each direction in the order of `at_ps`. */
struct ordo_net_samples {
    struct ordo_net_point *forward, *reverse;
    size_t forwards, reverses;
};

/** An offset that changes evenly: offset(at) = offset_ps + slope (at - at_ps). */
struct ordo_net_line {
    int64_t at_ps;
    double offset_ps, slope;
};

static inline double ordo_net_line_at(const struct ordo_net_line *line, int64_t at_ps)
{
    return line->offset_ps + line->slope * (double)(at_ps - line->at_ps);
}

/** Sorts points by `at_ps`; fast if they are nearly sorted. */
void ordo_net_points_sort(struct ordo_net_point *points, size_t count);

#endif
