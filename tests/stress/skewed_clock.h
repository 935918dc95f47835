/* The machine's own clock as a thread on a core with a skewed clock would read it: no trap, so it runs at full speed.
 *
 * Compile a test with ORDO_CLOCK_HEADER="skewed_clock.h" and set `skewed_clock_ticks` in each thread. It may be set
 * again at any time between two reads: the thread has then moved to another core. Clocks agree within the boundary as
 * long as any two values differ by at most the boundary less what the real clocks disagree by. */
#ifndef ORDO_CLOCK_INCLUDED_BY_CLOCK_H
#error "include <ordo/clock.h>"
#endif

#define ordo_clock_relaxed skewed_clock_native_relaxed
#define ordo_clock_read skewed_clock_native_read
#define ordo_clock_read_full skewed_clock_native_read_full
#if defined __x86_64__
#include <ordo/clock/x86_64.h>
#elif defined __aarch64__
#include <ordo/clock/aarch64.h>
#else
#include <ordo/clock/posix.h>
#endif
#undef ordo_clock_relaxed
#undef ordo_clock_read
#undef ordo_clock_read_full

#if defined SKEWED_CLOCK_SHARED /* one for all files of the program; one of them defines it */
extern __thread uint64_t skewed_clock_ticks;
#else
static __thread uint64_t skewed_clock_ticks;
#endif

static inline uint64_t ordo_clock_relaxed(void)
{
    return skewed_clock_native_relaxed() + skewed_clock_ticks;
}

static inline uint64_t ordo_clock_read(void)
{
    return skewed_clock_native_read() + skewed_clock_ticks;
}

static inline uint64_t ordo_clock_read_full(void)
{
    return skewed_clock_native_read_full() + skewed_clock_ticks;
}
