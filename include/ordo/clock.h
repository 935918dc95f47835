/* The hardware clock: which one this program reads, and how.
 *
 * The file of the architecture (clock/<arch>.h) defines
 *
 *   ORDO_CLOCK_ID, ORDO_CLOCK_NAME   which counter it is; part of every record
 *   ordo_clock_relaxed()             ticks, ordered with nothing
 *   ordo_clock_read()                ticks; earlier loads are performed first, nothing later starts before
 *   ordo_clock_read_full()           the same, and earlier stores are visible first
 *   ordo_clock_pause()               a hint for a loop that waits
 *
 * and, with ORDO_CLOCK_KNOWS_SIDES, if to order one side only is cheaper
 *
 *   ordo_clock_read_after()          ticks; earlier loads are performed first. Later accesses may be performed before the
 *                                    clock is read, except for stores of values made of the ticks, and accesses ordered
 *                                    behind such a store
 *   ordo_clock_read_after_full()     the same, and earlier stores are visible first
 *   ordo_clock_read_before()         ticks; nothing later starts before the clock is read. Earlier accesses may still be
 *                                    under way
 *
 * which are the reads of both sides elsewhere. An embedder's clock that defines the macro defines all three. Of two reads
 * in one thread the later one comes later if the first has its later side ordered, or the second its earlier side: of
 * the pairs of these only `after` and then `before` may come the other way round.
 *
 * and, with ORDO_CLOCK_KNOWS_EXCHANGE, if an atomic exchange orders so much by itself that less is left to do, and no load
 * that comes after a sequentially consistent exchange is performed before its store
 *
 *   ordo_clock_read_after_exchange()   ticks; the thread's last successful sequentially consistent exchange, and all
 *                                      that came before it, stores included, are performed first. What comes later:
 *                                      stores and exchanges are not performed before the read, but loads may be
 *
 * which is a full read elsewhere; and, with ORDO_CLOCK_KNOWS_CPU, if one instruction reads the clock together with the
 * number of the CPU whose clock it is (below 4096): for corrected times
 *
 *   ordo_clock_read_cpu(&cpu), ordo_clock_read_full_cpu(&cpu)   ordered as the two without _cpu
 *   ordo_clock_read_after_cpu(&cpu), ordo_clock_read_after_full_cpu(&cpu)   the same; with ORDO_CLOCK_KNOWS_SIDES
 *   ORDO_CLOCK_GETCPU, ordo_clock_getcpu                        the system call that they are compared with, if any
 *   ordo_clock_names_cpu()                                      with ORDO_CLOCK_GETCPU: true if this machine has that
 *                                                               instruction. Ask it before the first such read
 *
 * and opens with the argument for all but ordo_clock_relaxed. ORDO_CLOCK_POSIX chooses the portable clock, and
 * ORDO_CLOCK_HEADER (a quoted file name) a clock of the embedder's own.
 *
 * The kernel's clock is there on every machine (clock/monotonic.h): ordo_monotonic_relaxed(), _read() and
 * _read_full(), ordered as the reads above.
 */
#ifndef ORDO_CLOCK_H
#define ORDO_CLOCK_H

#include <stdint.h>

/* Numbers are part of the record's layout: never reuse one. */
enum ordo_clock_id {
    ORDO_CLOCK_TSC = 1,
    ORDO_CLOCK_CNTVCT = 2,
    ORDO_CLOCK_RISCV_TIME = 3,
    ORDO_CLOCK_MONOTONIC = 4,
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

/* ordo_monotonic_fence or ordo_monotonic_fence_full, and behind it ordo_clock_read_before, are together as much as
 * ordo_clock_read or ordo_clock_read_full: any.h chooses the clock between the two. Of an embedder's clock that is not
 * known. */
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
