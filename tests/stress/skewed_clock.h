/* The machine's own clock as a thread on a core with a skewed clock would read it: no trap, so it runs at full speed.
 *
 * Compile a test with ORDO_CLOCK_HEADER="skewed_clock.h" and set `skewed_clock_ticks` in each thread. It may be set
 * again at any time between two reads: the thread has then moved to another core. With `skewed_clock_range` it does so
 * by itself every few reads, so in the middle of whatever reads the clock twice. Clocks agree within the boundary as
 * long as any two values differ by at most the boundary less what the real clocks disagree by. With
 * `skewed_clock_agree` they disagree by nothing: all threads read one clock, at the price of a shared line, and the
 * skew may be the whole boundary. */
#ifndef ORDO_CLOCK_INCLUDED_BY_CLOCK_H
#error "include <ordo/clock.h>"
#endif

#include <sched.h>

#if defined SKEWED_CLOCK_ON_CPUS /* stands on the clock of a machine whose CPUs disagree, in place of the real one */
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

#if defined SKEWED_CLOCK_SHARED /* one for all files of the program; one of them defines them */
extern __thread uint64_t skewed_clock_ticks, skewed_clock_range, skewed_clock_reads;
extern uint64_t skewed_clock_latest;
extern int skewed_clock_agree;                        /* changed while one thread runs */
extern __thread void (*skewed_clock_meanwhile)(void); /* happens once, before the thread's next look at the clock */
#else
static __thread uint64_t skewed_clock_ticks, skewed_clock_range, skewed_clock_reads;
static uint64_t skewed_clock_latest;
static int skewed_clock_agree;
#endif

#define SKEWED_CLOCK_EVERY 5 /* reads between two moves */

/* Ahead by nothing, or by the whole range, or anything between. */
static inline void skewed_clock_draw(uint64_t random)
{
    uint64_t kind = random % 5;
    skewed_clock_ticks = kind < 2 ? 0 : kind < 4 ? skewed_clock_range : random / 5 % (skewed_clock_range + 1);
}

/* Called when the clock was read. */
static inline uint64_t skewed_clock_skew(void)
{
    uint64_t ticks = skewed_clock_ticks;
    if (!skewed_clock_range)
        return ticks;
    if (++skewed_clock_reads % SKEWED_CLOCK_EVERY == 0)
        skewed_clock_draw(skewed_clock_reads * UINT64_C(0x9e3779b97f4a7c15) >> 20);
#if defined SKEWED_CLOCK_SHARED /* now and then the thread loses its CPU before it uses the time */
    if (skewed_clock_reads % 64 == 0)
        (void)sched_yield();
#endif
    return ticks;
}

/* The latest time that any thread has read. It orders what comes later as a clock's read does, and promises no more:
 * nobody synchronises with a thread whose time it finds. */
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

/* For corrected times: the same clock on one of 16 CPUs whose counters began at very different times. Which one it is
 * changes with every move. */
enum { SKEWED_CLOCK_CPUS = 16 };

static inline uint64_t skewed_clock_offset(unsigned cpu)
{
    return (uint64_t)cpu << 33; /* a stamp that does not correct it waits for ever, or says that it would */
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
