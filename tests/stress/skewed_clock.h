/* The machine's own clock, with a skew that each thread sets. A read does not trap, so the clock runs at full speed.
 *
 * Compile a test with ORDO_CLOCK_HEADER="skewed_clock.h" and set `skewed_clock_ticks` in each thread: the skew of its
 * clock. A thread may change its skew at any time between two reads, as if it moved to another core. With
 * `skewed_clock_range` the skew changes by itself every few reads, even between two reads of one operation. Clocks
 * agree within the boundary if any two skews differ by at most the boundary minus the disagreement of the real clocks.
 * With `skewed_clock_agree` all threads read one clock, at the price of a shared cache line: the real clocks then add
 * no disagreement, and the skew may be the whole boundary. */
#ifndef ORDO_CLOCK_INCLUDED_BY_CLOCK_H
#error "include <ordo/clock.h>"
#endif

#include <sched.h>

#if defined SKEWED_CLOCK_ON_CPUS /* built on the clock of skewed_cpus.h instead of the real one */
#define SKEWED_CPUS_NAME(stem) skewed_clock_native_##stem
#include "../skew/skewed_cpus.h"
#else
#define ordo_clock_relaxed skewed_clock_native_relaxed
#define ordo_clock_read skewed_clock_native_read
#define ordo_clock_read_full skewed_clock_native_read_full
#define ordo_clock_read_after_exchange skewed_clock_native_read_after_exchange
#define ordo_clock_read_after skewed_clock_native_read_after
#define ordo_clock_read_after_full skewed_clock_native_read_after_full
#define ordo_clock_read_before skewed_clock_native_read_before
#define ordo_clock_read_after_cpu skewed_clock_native_read_after_cpu
#define ordo_clock_read_after_full_cpu skewed_clock_native_read_after_full_cpu
#define ordo_clock_read_cpu skewed_clock_native_read_cpu
#define ordo_clock_read_full_cpu skewed_clock_native_read_full_cpu
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
#undef ordo_clock_read_after_exchange
#undef ordo_clock_read_after
#undef ordo_clock_read_after_full
#undef ordo_clock_read_before
#undef ordo_clock_read_after_cpu
#undef ordo_clock_read_after_full_cpu
#undef ordo_clock_read_cpu
#undef ordo_clock_read_full_cpu
#endif
#undef ORDO_CLOCK_KNOWS_CPU
#undef ORDO_CLOCK_GETCPU
#define ORDO_CLOCK_KNOWS_CPU

#if defined SKEWED_CLOCK_SHARED /* shared by all files of the program; one of them defines the variables */
extern __thread uint64_t skewed_clock_ticks, skewed_clock_range, skewed_clock_reads;
extern uint64_t skewed_clock_latest;
extern int skewed_clock_agree;                        /* changes only while a single thread runs */
extern __thread void (*skewed_clock_meanwhile)(void); /* called once, before the thread's next read of the clock */
#else
static __thread uint64_t skewed_clock_ticks, skewed_clock_range, skewed_clock_reads;
static uint64_t skewed_clock_latest;
static int skewed_clock_agree;
#endif

#define SKEWED_CLOCK_EVERY 5 /* reads between two moves */

/* Draws the skew of a thread: 0, the whole range, or a value in between. */
static inline void skewed_clock_draw(uint64_t random)
{
    uint64_t kind = random % 5;
    skewed_clock_ticks = kind < 2 ? 0 : kind < 4 ? skewed_clock_range : random / 5 % (skewed_clock_range + 1);
}

/* Returns the skew for a read that has just been made, and moves the thread after every SKEWED_CLOCK_EVERY reads. */
static inline uint64_t skewed_clock_skew(void)
{
    uint64_t ticks = skewed_clock_ticks;
    if (!skewed_clock_range)
        return ticks;
    if (++skewed_clock_reads % SKEWED_CLOCK_EVERY == 0)
        skewed_clock_draw(skewed_clock_reads * UINT64_C(0x9e3779b97f4a7c15) >> 20);
#if defined SKEWED_CLOCK_SHARED /* sometimes lets other threads run before the caller uses the time */
    if (skewed_clock_reads % 64 == 0)
        (void)sched_yield();
#endif
    return ticks;
}

/* Returns the latest time that any thread has read. Like a read of the clock, it orders later accesses. It does not
 * synchronise the caller with the thread that has read this time. */
static inline uint64_t skewed_clock_base(uint64_t now)
{
    if (!skewed_clock_agree)
        return now;
    uint64_t latest = __atomic_load_n(&skewed_clock_latest, __ATOMIC_ACQUIRE);
    while (latest < now &&
           !__atomic_compare_exchange_n(&skewed_clock_latest, &latest, now, 0, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE))
        ;
    return latest < now ? now : latest;
}

static inline void skewed_clock_interrupt(void)
{
#if defined SKEWED_CLOCK_SHARED
    void (*now)(void) = skewed_clock_meanwhile;
    skewed_clock_meanwhile = NULL;
    if (now)
        now();
#endif
}

static inline uint64_t ordo_clock_relaxed(void)
{
    skewed_clock_interrupt();
    return skewed_clock_native_relaxed() + skewed_clock_skew();
}

static inline uint64_t ordo_clock_read(void)
{
    skewed_clock_interrupt();
    uint64_t now = skewed_clock_base(skewed_clock_native_read());
    return now + skewed_clock_skew();
}

static inline uint64_t ordo_clock_read_full(void)
{
    skewed_clock_interrupt();
    uint64_t now = skewed_clock_base(skewed_clock_native_read_full());
    return now + skewed_clock_skew();
}

#if defined ORDO_CLOCK_KNOWS_EXCHANGE
static inline uint64_t ordo_clock_read_after_exchange(void)
{
    skewed_clock_interrupt();
    uint64_t now = skewed_clock_base(skewed_clock_native_read_after_exchange());
    return now + skewed_clock_skew();
}
#endif

#if defined ORDO_CLOCK_KNOWS_SIDES
static inline uint64_t ordo_clock_read_after(void)
{
    skewed_clock_interrupt();
    uint64_t now = skewed_clock_base(skewed_clock_native_read_after());
    return now + skewed_clock_skew();
}

static inline uint64_t ordo_clock_read_after_full(void)
{
    skewed_clock_interrupt();
    uint64_t now = skewed_clock_base(skewed_clock_native_read_after_full());
    return now + skewed_clock_skew();
}

static inline uint64_t ordo_clock_read_before(void)
{
    skewed_clock_interrupt();
    uint64_t now = skewed_clock_base(skewed_clock_native_read_before());
    return now + skewed_clock_skew();
}
#endif

/* For corrected times: the clock above, as 16 CPUs would read it whose counters began at very different times. A new
 * skew also means another CPU. */
enum { SKEWED_CLOCK_CPUS = 16 };

static inline uint64_t skewed_clock_offset(unsigned cpu)
{
    return (uint64_t)cpu << 33; /* so large that an engine that ignores the correction waits for ever, or reports it */
}

static inline uint64_t ordo_clock_read_cpu(unsigned *cpu)
{
    *cpu = (unsigned)(skewed_clock_ticks >> 5) % SKEWED_CLOCK_CPUS;
    return ordo_clock_read() + skewed_clock_offset(*cpu);
}

static inline uint64_t ordo_clock_read_full_cpu(unsigned *cpu)
{
    *cpu = (unsigned)(skewed_clock_ticks >> 5) % SKEWED_CLOCK_CPUS;
    return ordo_clock_read_full() + skewed_clock_offset(*cpu);
}

#if defined ORDO_CLOCK_KNOWS_SIDES
static inline uint64_t ordo_clock_read_after_cpu(unsigned *cpu)
{
    *cpu = (unsigned)(skewed_clock_ticks >> 5) % SKEWED_CLOCK_CPUS;
    return ordo_clock_read_after() + skewed_clock_offset(*cpu);
}

static inline uint64_t ordo_clock_read_after_full_cpu(unsigned *cpu)
{
    *cpu = (unsigned)(skewed_clock_ticks >> 5) % SKEWED_CLOCK_CPUS;
    return ordo_clock_read_after_full() + skewed_clock_offset(*cpu);
}
#endif
