/* The hardware clock: the counter that this program reads, and how it reads it.
 *
 * Each architecture has a header (clock/<arch>.h), which begins with the argument that its reads are ordered as stated
 * here. The header defines
 *
 *   ORDO_CLOCK_ID, ORDO_CLOCK_NAME   number and name of the counter; part of every record
 *   ordo_clock_relaxed()             returns ticks, ordered with no access
 *   ordo_clock_read()                returns ticks; performed after earlier loads and before all later accesses
 *   ordo_clock_read_full()           as ordo_clock_read, and also after earlier stores are visible
 *   ordo_clock_pause()               a hint to the processor, for a loop that waits
 *
 * The header may define ORDO_CLOCK_KNOWS_SIDES, if ordering only one side of a read is cheaper. With the macro it
 * defines all three of
 *
 *   ordo_clock_read_after()          returns ticks; performed after earlier loads. Later accesses may be performed
 *                                    before the clock is read, except stores whose value depends on the ticks, and
 *                                    accesses ordered behind such a store
 *   ordo_clock_read_after_full()     as ordo_clock_read_after, and also after earlier stores are visible
 *   ordo_clock_read_before()         returns ticks; performed before all later accesses. Earlier accesses may still be
 *                                    in flight
 *
 * Without the macro, these three reads order both sides. Two ordered reads X; Y in one thread are performed in program
 * order if X orders the accesses after it, or Y orders the accesses before it. Therefore only an `after` followed by a
 * `before` may be performed in the opposite order.
 *
 * The header may define ORDO_CLOCK_KNOWS_EXCHANGE, if a sequentially consistent atomic exchange already gives a part of
 * the order of a full read, and if no load that comes after such an exchange is performed before the exchange's store.
 * With the macro it defines
 *
 *   ordo_clock_read_after_exchange()   returns ticks; performed after the thread's last successful sequentially
 *                                      consistent exchange, after all accesses before that exchange, stores included,
 *                                      and after all loads before this call. Later stores and exchanges are performed
 *                                      after the read; later loads may be performed before it
 *
 * Without the macro, ordo_clock_read_after_exchange is a full read.
 *
 * The header may define ORDO_CLOCK_KNOWS_CPU, if one instruction reads the clock together with the number of the CPU
 * whose clock it is (below 4096). Corrected times need this. With the macro it defines
 *
 *   ordo_clock_read_cpu(&cpu), ordo_clock_read_full_cpu(&cpu)   ordered as the reads without _cpu
 *   ordo_clock_read_after_cpu(&cpu), ordo_clock_read_after_full_cpu(&cpu)   likewise; with ORDO_CLOCK_KNOWS_SIDES
 *   ORDO_CLOCK_GETCPU, ordo_clock_getcpu                        the system call that checks the CPU's number, if any
 *   ordo_clock_names_cpu()                                      with ORDO_CLOCK_GETCPU: true if this machine has the
 *                                                               instruction. Call it before the first `_cpu` read
 *
 * The macro ORDO_CLOCK_POSIX selects the portable clock. ORDO_CLOCK_HEADER, a quoted file name, selects a clock that
 * the embedding program provides.
 *
 * The kernel's clock exists on every machine (clock/monotonic.h): ordo_monotonic_relaxed(), _read() and _read_full(),
 * ordered as the reads above.
 */
#ifndef ORDO_CLOCK_H
#define ORDO_CLOCK_H

#include <stdint.h>

/* These numbers are part of the record's layout: never reuse a number. */
enum ordo_clock_id {
    ORDO_CLOCK_TSC = 1,
    ORDO_CLOCK_CNTVCT = 2,
    ORDO_CLOCK_RISCV_TIME = 3,
    ORDO_CLOCK_MONOTONIC = 4,
    ORDO_CLOCK_MONOTONIC_RAW = 5, /* only of pages of now.h */
    ORDO_CLOCK_CUSTOM = 255
};

#define ORDO_CLOCK_INCLUDED_BY_CLOCK_H
#include "clock/monotonic.h"
#if defined ORDO_CLOCK_HEADER
#include ORDO_CLOCK_HEADER
#elif defined ORDO_CLOCK_POSIX
#include "clock/posix.h"
#elif defined __x86_64__
#include "clock/x86_64.h"
#elif defined __aarch64__
#include "clock/aarch64.h"
#elif defined __riscv && __riscv_xlen == 64
#include "clock/riscv64.h"
#else
#include "clock/posix.h"
#endif
#undef ORDO_CLOCK_INCLUDED_BY_CLOCK_H

/* If this condition holds, ordo_monotonic_fence followed by ordo_clock_read_before is ordered as ordo_clock_read, and
 * ordo_monotonic_fence_full followed by ordo_clock_read_before is ordered as ordo_clock_read_full. any.h relies on
 * this, because it chooses the clock between the fence and the read. An embedder's clock may lack this property. */
#if defined ORDO_CLOCK_KNOWS_SIDES && !defined ORDO_CLOCK_HEADER
#define ORDO_CLOCK_KNOWS_FENCED
#endif

#if !defined ORDO_CLOCK_KNOWS_EXCHANGE
static inline uint64_t ordo_clock_read_after_exchange(void)
{
    return ordo_clock_read_full();
}
#endif

#if !defined ORDO_CLOCK_KNOWS_SIDES
static inline uint64_t ordo_clock_read_after(void)
{
    return ordo_clock_read();
}

static inline uint64_t ordo_clock_read_after_full(void)
{
    return ordo_clock_read_full();
}

static inline uint64_t ordo_clock_read_before(void)
{
    return ordo_clock_read();
}

#if defined ORDO_CLOCK_KNOWS_CPU
static inline uint64_t ordo_clock_read_after_cpu(unsigned *cpu)
{
    return ordo_clock_read_cpu(cpu);
}

static inline uint64_t ordo_clock_read_after_full_cpu(unsigned *cpu)
{
    return ordo_clock_read_full_cpu(cpu);
}
#endif
#endif

#endif
