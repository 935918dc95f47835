/* An interval that certainly contains a value. Empty if low > high.
 *
 * The unit is that of the value. The name of the variable states it: `_ticks` of the hardware clock in a calibration,
 * `_ns` in a clock model; in a verification the unit is that of the clock source. */
#ifndef ORDO_BASE_INTERVAL_H
#define ORDO_BASE_INTERVAL_H

#include <stdint.h>

#include "base/minmax.h"

struct ordo_interval {
    int64_t low, high;
};

/** Returns the intersection of both intervals, which is empty if they contradict each other. Both must have the same
 * unit. */
static inline struct ordo_interval ordo_interval_intersect(struct ordo_interval a, struct ordo_interval b)
{
    return (struct ordo_interval){ordo_max(a.low, b.low), ordo_min(a.high, b.high)};
}

#endif
