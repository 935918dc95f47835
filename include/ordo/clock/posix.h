/* Any other machine: CLOCK_MONOTONIC, in nanoseconds.
 *
 * Why the reads are ordered as clock.h says: POSIX promises that the clock never runs backwards, and nothing about
 * memory. Linux reads the counter in user space (the vDSO), behind an instruction barrier at most: AArch64 behind an
 * ISB, which does not wait for the value of an earlier load, and RISC-V with a bare RDTIME. A C11 fence orders memory
 * accesses and no counter. So ordo_clock_fence stands on both sides of the call, and orders both:
 *
 *  AArch64   `dsb ish; isb`: earlier loads and stores have completed before anything behind it is executed
 *            (aarch64.h); after the call, the counter was read.
 *  RISC-V    `fence iorw, iorw`: for it the counter's read is device input (riscv64.h).
 *  x86-64    `mfence; lfence`: earlier stores are visible, and nothing behind it begins before all that is in
 *            front of it has executed, the counter's read included (x86_64.h).
 *  others    the C11 fence, and what the system does itself: where the clock is a system call, entering and
 *            leaving the kernel. A program that uses the clock there between CPUs has to know that it suffices.
 *
 * The reads of one side have the fence on that side only. ordo_clock_fence orders stores too, so `after` is `after, full`.
 *
 * It is a fallback: ten times the price, and shifted in a Linux time namespace of its own, so that a
 * record made outside is refused inside (ORDO_E_RATE).
 */
#ifndef ORDO_CLOCK_INCLUDED_BY_CLOCK_H
#error "include <ordo/clock.h>"
#endif

#include <time.h>

#define ORDO_CLOCK_ID ORDO_CLOCK_MONOTONIC
#define ORDO_CLOCK_NAME "monotonic"

/* A strictly conforming program does not see clock_gettime in <time.h>, though libc has it: it is declared here
 * under another name, with the libc symbol. */
#if !defined CLOCK_MONOTONIC && defined __linux__
#if defined _TIME_BITS && _TIME_BITS == 64 && !defined __LP64__
#error "clock_gettime with a 64-bit time_t needs -D_POSIX_C_SOURCE=200809L here"
#endif
#ifdef __cplusplus
extern "C" int ordo_clock_gettime(int, struct timespec *) __asm__("clock_gettime");
#else
extern int ordo_clock_gettime(int, struct timespec *) __asm__("clock_gettime");
#endif
#define ORDO_CLOCK_GETTIME(now) ordo_clock_gettime(1, now) /* 1: CLOCK_MONOTONIC in Linux's ABI */
#else
#define ORDO_CLOCK_GETTIME(now) clock_gettime(CLOCK_MONOTONIC, now)
#endif

static inline uint64_t ordo_clock_relaxed(void)
{
    struct timespec now;
    (void)ORDO_CLOCK_GETTIME(&now); /* cannot fail: the clock exists and the pointer is good */
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static inline void ordo_clock_fence(void)
{
#if defined __aarch64__
    __asm__ volatile("dsb ish\n\tisb" : : : "memory");
#elif defined __riscv
    __asm__ volatile("fence iorw, iorw" : : : "memory");
#elif defined __x86_64__
    __asm__ volatile("mfence\n\tlfence" : : : "memory");
#else
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

static inline uint64_t ordo_clock_read_full(void)
{
    uint64_t ticks;
    ordo_clock_fence();
    ticks = ordo_clock_relaxed();
    ordo_clock_fence();
    return ticks;
}

static inline uint64_t ordo_clock_read(void)
{
    return ordo_clock_read_full();
}

#define ORDO_CLOCK_KNOWS_SIDES
static inline uint64_t ordo_clock_read_after_full(void)
{
    ordo_clock_fence();
    return ordo_clock_relaxed();
}

static inline uint64_t ordo_clock_read_after(void)
{
    return ordo_clock_read_after_full();
}

static inline uint64_t ordo_clock_read_before(void)
{
    uint64_t ticks = ordo_clock_relaxed();
    ordo_clock_fence();
    return ticks;
}

static inline void ordo_clock_pause(void)
{
}
