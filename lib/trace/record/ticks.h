/* Reading the clock of a trace.
 *
 *  [T1] An entry is not later than what the call then sends. On x86-64 a plain RDTSC is enough: stores become visible in
 *       the order of the program and not before they retire (SDM vol. 3A, 9.2.2), and the RDTSC before them has retired
 *       by then. Elsewhere the read is the one that nothing later starts before.
 *  [T2] An exit is not earlier than what the call has received: the load that saw the message is performed before the
 *       clock is read. A plain RDTSC may run ahead of it, so this is the ordered read everywhere.
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
    return ordo_clock_read(); /* [T1] */
#endif
}

static inline uint64_t ordo_trace_exit_ticks(const struct ordo_clock_source *source)
{
    if (!source)
        return ordo_clock_read(); /* [T2] */
    (void)ordo_clock_read();      /* [T2] the system's clock is read after it */
    return ordo_clock_source_call(source);
}

#endif
