/* Any other machine: CLOCK_MONOTONIC, in nanoseconds.
 *
 * monotonic.h contains the reads, and the argument that they are ordered as clock.h says. A read that orders one side
 * has the fence on that side only.
 *
 * This clock is a fallback. A read costs ten times as much as a read of the counter. A process in its own Linux time
 * namespace sees a shifted clock, so a record made outside the namespace is refused inside it (ORDO_E_CLOCK).
 */
#ifndef ORDO_CLOCK_INCLUDED_BY_CLOCK_H
#error "include <ordo/clock.h>"
#endif

#define ORDO_CLOCK_ID ORDO_CLOCK_MONOTONIC
#define ORDO_CLOCK_NAME "monotonic"

static inline uint64_t ordo_clock_relaxed(void)
{
    return ordo_monotonic_relaxed();
}

static inline uint64_t ordo_clock_read(void)
{
    return ordo_monotonic_read();
}

static inline uint64_t ordo_clock_read_full(void)
{
    return ordo_monotonic_read_full();
}

#define ORDO_CLOCK_KNOWS_SIDES
static inline uint64_t ordo_clock_read_after_full(void)
{
    ordo_monotonic_fence_full();
    return ordo_clock_relaxed();
}

static inline uint64_t ordo_clock_read_after(void)
{
    ordo_monotonic_fence();
    return ordo_clock_relaxed();
}

static inline uint64_t ordo_clock_read_before(void)
{
    uint64_t ticks = ordo_clock_relaxed();
    ordo_monotonic_fence();
    return ticks;
}

static inline void ordo_clock_pause(void)
{
}
