/* Reading the clock of a trace.
 *
 *  [T1] An entry is not later than what the call then sends. On x86-64 a plain RDTSC is enough: stores become visible in
 *       the order of the program and not before they retire (SDM vol. 3A, 9.2.2), and the RDTSC before them has retired
 *       by then. Elsewhere the read is ordo_clock_read_before, which nothing later starts before.
 *  [T2] An exit is not earlier than what the call has received: the load that saw the message is performed before the
 *       clock is read. A plain RDTSC may run ahead of it. On x86-64 ordo_clock_read_after is enough. What follows may
 *       begin before the reading, which is about what was and not about what will be; so what is recorded of the call is
 *       stored meanwhile. Of such a reading [T1] holds too, so that one is enough for the master of a session, who has
 *       received and is about to answer. Elsewhere [T1] wants the read of both sides for it.
 *  [T3] The times of a thread ascend. A reading without a fence may run ahead of the one before it, and that of another CPU
 *       may be less by the skew of the two: then the one before is taken again. It was made earlier in the thread, and
 *       had retired before anything that the call stores became visible, so that [T1] holds of it; and a later time
 *       never breaks [T2].
 */
#ifndef ORDO_TRACE_RECORD_TICKS_H
#define ORDO_TRACE_RECORD_TICKS_H

#include <ordo/clock.h>

#include "machine/clock/source.h"

/** `source` is NULL for the hardware's clock. */
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
    (void)ordo_clock_read(); /* [T2] the system's clock is read after it */
    return ordo_clock_source_call(source);
}

/** The later one of a reading and the thread's last. [T3] */
static inline uint64_t ordo_trace_in_order(uint64_t *last_ticks, uint64_t ticks)
{
    *last_ticks = ticks > *last_ticks ? ticks : *last_ticks;
    return *last_ticks;
}

#endif
