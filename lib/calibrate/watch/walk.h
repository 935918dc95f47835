/* One thread walks over the CPUs and reads the clock of each: the cheapest proof that a clock has left the boundary. */
#ifndef ORDO_CALIBRATE_WATCH_WALK_H
#define ORDO_CALIBRATE_WATCH_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/interval.h"

/** The readings of the walker on one CPU. */
struct ordo_stop {
    unsigned cpu;
    uint64_t arrived_ticks, left_ticks; /* the clock of this CPU, first and last */
    int64_t raw_ns;                     /* CLOCK_MONOTONIC_RAW, read in between */
};

/** Walks over `count` CPUs and back to the first; `stops` has room for count + 1. Leaves out a CPU on which the kernel
 * does not let the calling thread run. Returns the number of stops. The calling thread is then bound to the last
 * CPU. */
int ordo_walk_take(const unsigned *cpus, int count, struct ordo_stop *stops);

/** Two CPUs whose clocks are proved to be further apart than the boundary. */
struct ordo_excess {
    unsigned ahead, behind;
    int64_t ticks; /* clock of `ahead` minus clock of `behind` is at least this */
};

/** True if a walk proves that two clocks are further apart than `boundary_ticks`. Pure.
 *
 * Argument: time passes between leaving CPU a and arriving on CPU b, whatever moved the thread, because the read on a
 * precedes the call that moves it and the read on b follows the return of that call. Therefore arrived(b) - left(a) is
 * at least clock b minus clock a; if it is below -B, a is ahead of b by more than B. A walk that was held up proves
 * less, and nothing wrong. */
bool ordo_walk_judge(const struct ordo_stop *stops, int count, uint64_t boundary_ticks, struct ordo_excess *excess);

/** Returns the interval of the offset of the CPU of stop i + 1 minus that of stop i, by a walk that returned to its
 * first CPU: at most the time of that hop, and at least minus the sum of all other hops. Pure. */
struct ordo_interval ordo_walk_interval(const struct ordo_stop *stops, int count, int i);

/** True if at most `limit_ticks` passed between the first and the last reading of every stop: nothing held the walker
 * up there. Pure. */
bool ordo_walk_steady(const struct ordo_stop *stops, int count, int64_t limit_ticks);

/** Guesses which of two CPUs has moved by about `by_ticks`. Pure. `before` are the stops of a walk before the move, or
 * none. Chooses the CPU whose clock moved by more against CLOCK_MONOTONIC_RAW since then; if both moved alike (the
 * kernel may keep that clock by this counter), the one further away from its neighbours in the walk. */
unsigned ordo_walk_culprit(const struct ordo_stop *stops, int count, const struct ordo_stop *before, int before_count,
                           double tick_hz, unsigned ahead, unsigned behind, int64_t by_ticks);

#endif
