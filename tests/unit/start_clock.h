/* The machine's own clock plus a skew for each CPU, which the test may change at any moment; it runs at full speed. The
 * CPU of a thread is the one to which it was pinned last (start.c wraps sched_setaffinity). An unpinned thread has the
 * skew of the CPU on which it runs, plus a skew for unpinned threads.
 *
 * All threads read one clock, at the price of a shared cache line. Without a skew all clocks are therefore equal, and
 * the injected skew is the true skew. */
#ifndef ORDO_CLOCK_INCLUDED_BY_CLOCK_H
#error "include <ordo/clock.h>"
#endif

#define ordo_clock_relaxed start_clock_native_relaxed
#define ordo_clock_read start_clock_native_read
#define ordo_clock_read_full start_clock_native_read_full
#define ordo_clock_read_after_exchange start_clock_native_read_after_exchange
#define ordo_clock_read_cpu start_clock_native_read_cpu
#define ordo_clock_read_full_cpu start_clock_native_read_full_cpu
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
#undef ordo_clock_read_cpu
#undef ordo_clock_read_full_cpu
#undef ORDO_CLOCK_KNOWS_CPU
#undef ORDO_CLOCK_GETCPU
#undef ORDO_CLOCK_KNOWS_EXCHANGE

enum { START_CLOCK_CPUS = 1024, START_CLOCK_UNPINNED = START_CLOCK_CPUS };

/* For each CPU, the lead of its clock in ticks, and its gain in ppb. The last entry is added for unpinned threads. */
struct start_clock {
    int64_t ticks, ppb;
};
static struct start_clock start_clocks[START_CLOCK_CPUS + 1];
static uint64_t start_clock_epoch; /* the time of the clock when the drifts began */
static uint64_t start_clock_latest;
static __thread unsigned start_clock_cpu = START_CLOCK_UNPINNED;

/* A step of one CPU's clock by `ticks`, after `readings` more readings on this CPU. */
static struct {
    unsigned cpu;
    int64_t readings, ticks;
} start_clock_step;

extern int start_clock_getcpu(void) __asm__("sched_getcpu");

static inline uint64_t start_clock_by(const struct start_clock *clock, uint64_t now)
{
    int64_t ppb = __atomic_load_n(&clock->ppb, __ATOMIC_RELAXED);
    now += (uint64_t)__atomic_load_n(&clock->ticks, __ATOMIC_RELAXED);
    return ppb ? now + (uint64_t)(int64_t)((double)(now - start_clock_epoch) * 1e-9 * (double)ppb) : now;
}

static inline uint64_t start_clock_skewed(uint64_t now)
{
    int cpu;
    if (start_clock_cpu == start_clock_step.cpu && start_clock_step.readings > 0 && --start_clock_step.readings == 0)
        start_clocks[start_clock_cpu].ticks += start_clock_step.ticks;
    if (start_clock_cpu != START_CLOCK_UNPINNED)
        return start_clock_by(&start_clocks[start_clock_cpu], now);
    cpu = start_clock_getcpu();
    if (cpu >= 0 && cpu < START_CLOCK_CPUS)
        now = start_clock_by(&start_clocks[cpu], now);
    return start_clock_by(&start_clocks[START_CLOCK_UNPINNED], now);
}

/* Returns the latest time that any thread has read. */
static inline uint64_t start_clock_agreed(uint64_t now)
{
    uint64_t latest = __atomic_load_n(&start_clock_latest, __ATOMIC_ACQUIRE);
    while (latest < now &&
           !__atomic_compare_exchange_n(&start_clock_latest, &latest, now, 0, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE))
        ;
    return latest < now ? now : latest;
}

static inline uint64_t ordo_clock_relaxed(void)
{
    return start_clock_skewed(start_clock_native_relaxed());
}

static inline uint64_t ordo_clock_read(void)
{
    return start_clock_skewed(start_clock_agreed(start_clock_native_read()));
}

static inline uint64_t ordo_clock_read_full(void)
{
    return start_clock_skewed(start_clock_agreed(start_clock_native_read_full()));
}
