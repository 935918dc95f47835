/* Reading the clock of a trace.
 *
 *  [T1] The time of an entry is not later than any message that the call then sends. On x86-64 a plain RDTSC is enough:
 *       stores become visible in program order and not before they retire (SDM vol. 3A, 9.2.2), and an RDTSC before
 *       them in program order has retired by then. Elsewhere the read is ordo_clock_read_before: no later access starts
 *       before it.
 *  [T2] The time of an exit is not earlier than any message that the call has received: the load that saw the message
 *       is performed before the clock is read. A plain RDTSC may run ahead of this load, so on x86-64 the read is
 *       ordo_clock_read_after. Later instructions may begin before this read, because an exit bounds only earlier
 *       events; the stores that record the call can therefore overlap the read. On x86-64 such a reading meets [T1] as
 *       well, so one reading is enough for the master of a session, which has received a question and is about to
 *       answer. Elsewhere the read at an exit must be ordered on both sides, because of [T1].
 *  [T3] The times of a thread never descend. A reading without a fence may run ahead of the preceding reading; after a
 *       migration a reading may be less than the preceding one by the skew of the two CPUs. In both cases the thread's
 *       last time is used again. [T1] holds for the last time, because its read came earlier in the thread and retired
 *       before any store of the call became visible. [T2] holds for it, because it is later than the new reading.
 */
#ifndef ORDO_TRACE_RECORD_TICKS_H
#define ORDO_TRACE_RECORD_TICKS_H

#include <ordo/clock.h>

#include "machine/clock/source.h"

/** Reads the clock at an entry. `source` is NULL for the hardware clock. */
static inline uint64_t ordo_trace_entry_ticks(const struct ordo_clock_source *source)
{
    if (source)
        return ordo_clock_source_call(source);
#if defined __x86_64__ && !defined ORDO_CLOCK_POSIX && !defined ORDO_CLOCK_HEADER
    return ordo_clock_relaxed(); /* [T1] */
#else
    return ordo_clock_read_before(); /* [T1] */
#endif
}

static inline uint64_t ordo_trace_exit_ticks(const struct ordo_clock_source *source)
{
#if defined __x86_64__ && !defined ORDO_CLOCK_POSIX && !defined ORDO_CLOCK_HEADER
    if (!source)
        return ordo_clock_read_after(); /* [T2] */
#else
    if (!source)
        return ordo_clock_read(); /* [T2] */
#endif
    (void)ordo_clock_read(); /* [T2] orders the following read of the system's clock */
    return ordo_clock_source_call(source);
}

/** Returns the later of a reading and the thread's last time [T3]. */
static inline uint64_t ordo_trace_in_order(uint64_t *last_ticks, uint64_t ticks)
{
    *last_ticks = ticks > *last_ticks ? ticks : *last_ticks;
    return *last_ticks;
}

#endif
