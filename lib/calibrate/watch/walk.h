/* One thread walks over the CPUs and reads the clock of each: the cheapest proof that a clock has left the boundary. */
#ifndef ORDO_CALIBRATE_WATCH_WALK_H
#define ORDO_CALIBRATE_WATCH_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/interval.h"

/** What the walker read on one CPU. */
struct ordo_stop {
    unsigned cpu;
    uint64_t arrived_ticks, left_ticks; /* the clock of this CPU, first and last */
    int64_t raw_ns;                     /* CLOCK_MONOTONIC_RAW in between */
};

/** Walks over `count` CPUs and back to the first; `stops` has room for count + 1. A CPU that the kernel does not let the
 * calling thread run on is left out. Returns how many stops were made. The calling thread is bound to the last CPU then. */
int ordo_walk_take(const unsigned *cpus, int count, struct ordo_stop *stops);

/** Two CPUs whose clocks are proved to be further apart than the boundary. */
struct ordo_excess {
    unsigned ahead, behind;
    int64_t ticks; /* clock of `ahead` less clock of `behind` is at least that */
};

/** Whether a walk proves that two clocks are further apart than `boundary_ticks`. Pure.
 *
 * Argument: between leaving CPU a and arriving on CPU b time passes, whatever moved the thread: the read on a is before
 * the call that moves it, and the read on b after its return. So arrived(b) - left(a) is at least clock b less clock a,
 * and where that is below -B, a is ahead of b by more than B. A walk that was held up proves less, and nothing wrong. */
bool ordo_walk_judge(const struct ordo_stop *stops, int count, uint64_t boundary_ticks, struct ordo_excess *excess);

/** Where the offset of the CPU of stop i + 1 less that of stop i lies, by a walk that came home: at most what the hop
 * showed, and at least the negative sum of all other hops. Pure. */
struct ordo_interval ordo_walk_interval(const struct ordo_stop *stops, int count, int i);

/** Whether on no stop more than `limit_ticks` passed between the first and the last reading: nothing held the walker up
 * there. Pure. */
bool ordo_walk_steady(const struct ordo_stop *stops, int count, int64_t limit_ticks);

/** Which of two CPUs has probably moved by some `by_ticks`: a guess. Pure. `before` are the stops of a walk before it moved,
 * of which there may be none. It is the one whose clock moved by more against CLOCK_MONOTONIC_RAW since; and where both
 * moved alike (the kernel may keep that clock by this counter), the one further away from its neighbours in the walk. */
unsigned ordo_walk_culprit(const struct ordo_stop *stops, int count, const struct ordo_stop *before, int before_count,
                           double tick_hz, unsigned ahead, unsigned behind, int64_t by_ticks);

#endif
