/* The baseline of the runtime's calls. It repeats their instructions on purpose: a baseline that called the runtime
 * would always agree with it. include/ordo/clock/ argues the order of the instructions. A thread that announces itself
 * in memory before it reads the clock needs the variant _full. */
#ifndef BENCH_CLOCK_BARE_H
#define BENCH_CLOCK_BARE_H

#include <stdint.h>
#include <time.h>

static inline uint64_t bench_clock_gettime_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#if defined ORDO_CLOCK_POSIX || !(defined __x86_64__ || defined __aarch64__ || (defined __riscv && __riscv_xlen == 64))

static inline uint64_t bench_bare_relaxed(void)
{
    return bench_clock_gettime_ns();
}

static inline uint64_t bench_bare_ordered(void)
{
    return bench_clock_gettime_ns();
}

static inline uint64_t bench_bare_full(void)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return bench_clock_gettime_ns();
}

#elif defined __x86_64__

static inline uint64_t bench_bare_relaxed(void)
{
    uint64_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return high << 32 | low;
}

static inline uint64_t bench_bare_ordered(void)
{
    uint64_t low, high;
    __asm__ volatile("lfence; rdtsc; lfence" : "=a"(low), "=d"(high));
    return high << 32 | low;
}

static inline uint64_t bench_bare_full(void)
{
    uint64_t low, high;
    __asm__ volatile("lock; orl $0, (%%rsp); lfence; rdtsc; lfence" : "=a"(low), "=d"(high) : : "cc", "memory");
    return high << 32 | low;
}

#elif defined __aarch64__

static inline uint64_t bench_bare_relaxed(void)
{
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
}

static inline uint64_t bench_bare_ordered(void)
{
    uint64_t ticks;
    __asm__ volatile("dsb ishld; isb; mrs %0, cntvct_el0; isb" : "=r"(ticks));
    return ticks;
}

static inline uint64_t bench_bare_full(void)
{
    uint64_t ticks;
    __asm__ volatile("dsb ish; isb; mrs %0, cntvct_el0; isb" : "=r"(ticks) : : "memory");
    return ticks;
}

#else

static inline uint64_t bench_bare_relaxed(void)
{
    uint64_t ticks;
    __asm__ volatile("rdtime %0" : "=r"(ticks));
    return ticks;
}

static inline uint64_t bench_bare_ordered(void)
{
    uint64_t ticks;
    __asm__ volatile("fence r, i; rdtime %0; fence i, iorw" : "=r"(ticks));
    return ticks;
}

static inline uint64_t bench_bare_full(void)
{
    uint64_t ticks;
    __asm__ volatile("fence rw, i; rdtime %0; fence i, iorw" : "=r"(ticks) : : "memory");
    return ticks;
}

#endif

#endif
