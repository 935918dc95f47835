/* An interval that holds with certainty what it is about. Empty if low > high.
 *
 * The unit is that of what it is about, and the name of the variable says which: `_ticks` of the hardware clock in a
 * calibration, `_ns` in a model of a clock, and the units of its clock source in a verification. */
#ifndef ORDO_BASE_INTERVAL_H
#define ORDO_BASE_INTERVAL_H

#include <stdint.h>

#include "base/minmax.h"

struct ordo_interval {
    int64_t low, high;
};

/** What both hold; empty if they contradict each other. Both in the same unit. */
static inline struct ordo_interval ordo_interval_intersect(struct ordo_interval a, struct ordo_interval b)
{
    return (struct ordo_interval){ordo_max(a.low, b.low), ordo_min(a.high, b.high)};
}

#endif
