/* Any other machine: CLOCK_MONOTONIC, in nanoseconds.
 *
 * Why the reads are ordered as clock.h says: POSIX promises that the clock never runs backwards, and
 * nothing about memory. The kernels this runs on order the counter behind earlier loads themselves (Linux:
 * the vDSO reads the counter with the architecture's ordered sequence; a system call serialises). The fences here
 * order the caller's accesses before and after that call, which a compiler cannot look into.
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

static inline uint64_t ordo_clock_read_full(void)
{
    uint64_t ticks;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    ticks = ordo_clock_relaxed();
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return ticks;
}

static inline uint64_t ordo_clock_read(void)
{
    return ordo_clock_read_full();
}

static inline void ordo_clock_pause(void)
{
}
