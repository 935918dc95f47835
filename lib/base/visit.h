/* Offsets between two clocks as proved intervals, and the bounds on the drift that follow from them. A visit is one
 * measurement of a pair of CPUs (start/pair.h).
 *
 * The sign is the same everywhere: the offset of (a, b) is clock b minus clock a. A message from a is sent before b
 * reads it. Therefore delta_ab = (b's clock at the read) - (a's clock at the send) >= offset for every delay, and
 * likewise -delta_ba <= offset. No assumption about symmetry or distribution is made. (Ordo, EuroSys 2018, section 3.2:
 * a measured delta is an upper bound of the skew in its direction.) */
#ifndef ORDO_BASE_VISIT_H
#define ORDO_BASE_VISIT_H

#include <ordo/start/pair.h>

#include "base/interval.h"

/** Returns a visit of a single block: its ceilings equal its deltas. */
static inline struct ordo_visit ordo_visit_plain(int64_t delta_ab, int64_t delta_ba, uint64_t at_ab, uint64_t at_ba)
{
    return (struct ordo_visit){delta_ab, delta_ba, at_ab, at_ba, delta_ab, delta_ba};
}

/** Adds `later` to a visit of the same pair: the smaller deltas, and the larger ceilings. */
void ordo_visit_merge(struct ordo_visit *visit, const struct ordo_visit *later);

/** Relative drift of clock b against clock a in parts per billion: min <= drift <= max, if it is constant. A bound is
 * infinite if no visits give it. If min > max, no constant drift fits, so a clock stepped or its rate changed. */
struct ordo_drift {
    double min_ppb, max_ppb;
};

/** Returns [-delta_ba, delta_ab], which contains the offset during one visit if the offset did not change. */
struct ordo_interval ordo_offset_of_visit(const struct ordo_visit *visit);

/** Returns the intersection of the intervals of all visits; `count` must be positive. */
struct ordo_interval ordo_offset_intersect(const struct ordo_visit *visits, int count);

/** Returns the interval of all constant drifts that `count` visits allow, if each reading is exact to within
 * `step_ticks`.
 *
 * Argument: let offset(t) = o + r t and s = step_ticks. Each visit states
 *
 *     o + r t_ab <= delta_ab + s   and   o + r t_ba >= -delta_ba - s.
 *
 * Subtracting the statements of two visits eliminates o:
 *
 *     r (t_ab - t_ba') <= delta_ab + delta_ba' + 2s.
 *
 * This is an upper bound of r if t_ab > t_ba', and a lower bound if t_ab < t_ba'. (A run lasts microseconds, so the
 * drift within a run is far below a tick.)
 *
 * The visits may be in any order; the clock may have been set back between them. O(n log n); if out of memory, both
 * bounds are infinite. */
struct ordo_drift ordo_offset_drift(const struct ordo_visit *visits, int count, int64_t step_ticks);

#endif
