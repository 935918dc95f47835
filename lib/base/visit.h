/* Offsets between two clocks as intervals that cannot be wrong, and the limits that they set for the drift.
 *
 * Sign everywhere: the offset of (a, b) is clock b minus clock a. A message from a that b has read was sent before, so
 * delta_ab = (b's clock when read) - (a's clock when sent) is at least the offset, whatever the delay; and -delta_ba is
 * at most the offset. No assumption about symmetry or distribution is made. (Ordo, EuroSys 2018, section 3.2: a
 * measured delta is an upper bound of the skew in its direction.) */
#ifndef ORDO_BASE_VISIT_H
#define ORDO_BASE_VISIT_H

#include <ordo/start/pair.h>

#include "base/interval.h"

/** Returns a visit without blocks: its ceilings are its deltas. */
static inline struct ordo_visit ordo_visit_plain(int64_t delta_ab, int64_t delta_ba, uint64_t at_ab, uint64_t at_ba)
{
    return (struct ordo_visit){delta_ab, delta_ba, at_ab, at_ba, delta_ab, delta_ba};
}

/** Adds `later` to a visit of the same pair: the smaller deltas, and the larger ceilings. */
void ordo_visit_merge(struct ordo_visit *visit, const struct ordo_visit *later);

/** Relative drift of clock b against clock a in parts per billion: min <= drift <= max, if it is constant. Infinite if
 * nothing bounds it. min > max: no constant drift fits, so the clock steps or bends. */
struct ordo_drift {
    double min_ppb, max_ppb;
};

/** Returns [-delta_ba, delta_ab], which contains the offset during one visit, if it did not change. */
struct ordo_interval ordo_offset_of_visit(const struct ordo_visit *visit);

/** Returns the common part of all visits; `count` must be positive. */
struct ordo_interval ordo_offset_intersect(const struct ordo_visit *visits, int count);

/** Returns all constant drifts that `count` visits allow, if each reading is true to within `step_ticks`.
 *
 * Argument: with offset(t) = o + r t, each visit says o + r t_ab <= delta_ab + s and o + r t_ba >= -delta_ba - s.
 * Subtracting any two eliminates o: r (t_ab - t_ba') <= delta_ab + delta_ba' + 2s, a bound above if t_ab > t_ba' and a
 * bound below if t_ab < t_ba'. (A run lasts microseconds; the drift within one is far below a tick.)
 *
 * The visits may come in any order, like those of a clock that is set back. O(n log n); if out of memory, nothing is
 * bounded. */
struct ordo_drift ordo_offset_drift(const struct ordo_visit *visits, int count, int64_t step_ticks);

#endif
