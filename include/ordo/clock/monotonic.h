/* The kernel's clock: CLOCK_MONOTONIC in nanoseconds, read through the C library (the vDSO or a system call), and
 * ordered as clock.h demands. posix.h makes it the clock of a program; any.h reads it if the counter is refused.
 *
 * Why the reads are ordered: POSIX promises that the clock never runs backwards, but says nothing about its order with
 * memory accesses. Linux reads the counter in user space (the vDSO), behind an instruction barrier at most: AArch64
 * behind an ISB, which does not wait for the value of an earlier load, and RISC-V with a bare RDTIME. If the kernel's
 * source is a device, the read is a load of uncached memory or a port in the kernel, and neither entering nor leaving
 * the kernel orders it with the program's accesses. A C11 fence orders memory accesses, but not reads of a counter.
 * Therefore a barrier on each side of the call orders both:
 *
 *  AArch64   before the call: `dsb ishld; isb`, or `dsb ish; isb` for a full read. Earlier loads (full: and stores)
 *            have completed before the call is executed (aarch64.h). After the call: `dsb ishld; isb`. The counter or
 *            the device is read before any later instruction is fetched.
 *  RISC-V    `fence iorw, iorw` on both sides: for this fence the counter's read is device input (riscv64.h).
 *  x86-64    before the call: `lfence`, so that earlier loads have executed; for a full read a locked operation and
 *            `lfence`, so that earlier stores are visible as well. After the call: `lfence`, so that no later
 *            instruction begins before the counter or the device is read (x86_64.h).
 *  others    the C11 fence, and the order of the system itself: if the clock is a system call, entering and leaving the
 *            kernel. A program that compares times of two CPUs on such a system must know that this order suffices.
 *
 * While the kernel does not change the rate, all threads see the same function of one counter. An adjustment (NTP)
 * changes the rate by at most 500 ppm, with one store for all CPUs. A CPU sees this store at most about 100 ns late, so
 * the clocks differ by less than a nanosecond, which the granule covers. A process in its own Linux time namespace sees
 * a shifted clock.
 */
#ifndef ORDO_CLOCK_INCLUDED_BY_CLOCK_H
#error "include <ordo/clock.h>"
#endif

#include <time.h>

/* In a strictly conforming program <time.h> does not declare clock_gettime, although libc defines it. Therefore this
 * header declares the libc symbol under another name. */
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

/** Returns nanoseconds, ordered with no access. */
static inline uint64_t ordo_monotonic_relaxed(void)
{
    struct timespec now;
    (void)ORDO_CLOCK_GETTIME(&now); /* cannot fail: the clock exists and the pointer is good */
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Makes earlier loads, and an earlier read of the clock, complete before any later access begins. */
static inline void ordo_monotonic_fence(void)
{
#if defined __aarch64__
    __asm__ volatile("dsb ishld\n\tisb" : : : "memory");
#elif defined __riscv
    __asm__ volatile("fence iorw, iorw" : : : "memory");
#elif defined __x86_64__
    __asm__ volatile("lfence" : : : "memory");
#else
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

/* Orders as ordo_monotonic_fence, and also waits until earlier stores are visible. */
static inline void ordo_monotonic_fence_full(void)
{
#if defined __aarch64__
    __asm__ volatile("dsb ish\n\tisb" : : : "memory");
#elif defined __x86_64__
    __asm__ volatile("lock; orl $0, (%%rsp)\n\tlfence" : : : "cc", "memory");
#else
    ordo_monotonic_fence();
#endif
}

/** Returns nanoseconds; performed after earlier loads and before all later accesses. */
static inline uint64_t ordo_monotonic_read(void)
{
    uint64_t ns;
    ordo_monotonic_fence();
    ns = ordo_monotonic_relaxed();
    ordo_monotonic_fence();
    return ns;
}

/** Returns nanoseconds, ordered as ordo_monotonic_read, and also after earlier stores are visible. */
static inline uint64_t ordo_monotonic_read_full(void)
{
    uint64_t ns;
    ordo_monotonic_fence_full();
    ns = ordo_monotonic_relaxed();
    ordo_monotonic_fence();
    return ns;
}
