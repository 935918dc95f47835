/* A walk: one thread moves from CPU to CPU and reads the clock of each. This is the cheapest proof that two clocks
 * differ by more than the boundary. */
#ifndef ORDO_CALIBRATE_WATCH_WALK_H
#define ORDO_CALIBRATE_WATCH_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/interval.h"

/** A stop of a walk: the readings on one CPU. */
struct ordo_stop {
    unsigned cpu;
    uint64_t arrived_ticks, left_ticks; /* first and last reading of this CPU's clock */
    int64_t raw_ns;                     /* CLOCK_MONOTONIC_RAW, read between the two */
};

/** Walks over `count` CPUs and back to the first; `stops` has space for count + 1 stops. Skips a CPU on which the
 * kernel does not let the calling thread run. Returns the number of stops. Afterwards the calling thread is pinned to
 * the last CPU. */
int ordo_walk_take(const unsigned *cpus, int count, struct ordo_stop *stops);

/** Two CPUs whose clocks are proved to be further apart than the boundary. */
struct ordo_excess {
    unsigned ahead, behind;
    int64_t ticks; /* clock of `ahead` minus clock of `behind` is at least this */
};

/** True if a walk proves that two clocks are further apart than `boundary_ticks`. Pure.
 *
 * Argument: the last read on CPU a precedes the call that moves the thread, and the first read on CPU b follows the
 * return of that call, so time passes between the two reads. Therefore arrived(b) - left(a) >= clock b minus clock a.
 * If the difference is below -B, clock a is ahead of clock b by more than B. If the walk was delayed, the difference is
 * larger and proves less, but nothing false. */
bool ordo_walk_judge(const struct ordo_stop *stops, int count, uint64_t boundary_ticks, struct ordo_excess *excess);

/** Returns the interval of the offset between the stops i and i + 1 (the clock of stop i + 1 minus the clock of stop
 * i), from a walk that returned to its first CPU. A hop is arrived - left between two stops. The offset is at most hop
 * i, and at least minus the sum of all other hops. Pure. */
struct ordo_interval ordo_walk_interval(const struct ordo_stop *stops, int count, int i);

/** Returns the ticks between the first and the last reading of the longest stop. It is long if the thread was
 * interrupted there. Pure. */
int64_t ordo_walk_delay(const struct ordo_stop *stops, int count);

/** The ticks of a steady stop, about 2 us: its three readings take less, unless they are calls of the kernel or trap to the
 * hypervisor. */
enum { ORDO_WALK_STEADY = 5000 };

/** True if two clocks moved apart by more than `most_ticks` between two walks, as measured against CLOCK_MONOTONIC_RAW. An error
 * of `tick_hz` moves all clocks alike, so it does not count, apart from its part of the time by which the two walks differ in
 * length. False if the kernel derives CLOCK_MONOTONIC_RAW from the counter that jumped. Pure. */
bool ordo_walk_moved_apart(const struct ordo_stop *stops, int count, const struct ordo_stop *before, int before_count,
                           double tick_hz, uint64_t most_ticks);

/** Guesses which of two clocks jumped by about `by_ticks`, and returns its CPU. `before` contains the stops of a walk
 * before the jump; it may be empty. Chooses the clock that certainly moved by more against CLOCK_MONOTONIC_RAW since that walk,
 * apart from what more than half of all clocks moved by. With two CPUs there is no such movement, and an error of `tick_hz`
 * counts. If both moved alike, because the kernel may derive CLOCK_MONOTONIC_RAW from this counter, or if long stops leave it in
 * doubt, chooses the clock that is further away from its neighbours in the walk. Pure. */
unsigned ordo_walk_culprit(const struct ordo_stop *stops, int count, const struct ordo_stop *before, int before_count,
                           double tick_hz, unsigned ahead, unsigned behind, int64_t by_ticks);

#endif
