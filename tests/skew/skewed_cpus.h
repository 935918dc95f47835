/* The hardware clock of a machine whose CPUs disagree: the real counter, plus the offset that skewed.h gives for the
 * CPU on which it was read. It runs at nearly full speed and needs no trap, so latencies are real and small skews can
 * be proved.
 *
 * Compile with ORDO_CLOCK_HEADER="skewed_cpus.h"; $ORDO_SKEW_FILE names the file, and without it all clocks are true.
 * It has the id and the name of the real counter, because the whole build is of one kind: its records are used only by
 * its own programs.
 *
 * The reads are ordered as clock.h says, because the real counter is read by an ordered read, and the offset is
 * computed from the file afterwards. A change in the file is dated in ticks of that counter, so the time at which the
 * file is read does not matter. x86-64 reads by `lfence; rdtsc; lfence` (the argument is that of `after exchange` and
 * of `full` in x86_64.h), because a guest may have no RDTSCP in its CPUID.
 *
 * The CPU is that of the read, because its number is read before and after. A thread that was moved in between reads
 * again. A thread that was moved away and back within so few instructions would take another CPU's counter for its own,
 * whose true difference is within the real boundary of this machine. */
#ifndef ORDO_CLOCK_INCLUDED_BY_CLOCK_H
#error "include <ordo/clock.h>"
#endif

/* The names of the functions: another clock of the tests builds on these (tests/stress/skewed_clock.h). */
#if !defined SKEWED_CPUS_NAME
#define SKEWED_CPUS_NAME(stem) ordo_clock_##stem
#endif

#include <fcntl.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "skewed.h"

#define ordo_clock_relaxed skewed_native_relaxed
#define ordo_clock_read skewed_native_read
#define ordo_clock_read_full skewed_native_read_full
#define ordo_clock_read_after_exchange skewed_native_read_after_exchange
#define ordo_clock_read_after skewed_native_read_after
#define ordo_clock_read_after_full skewed_native_read_after_full
#define ordo_clock_read_before skewed_native_read_before
#define ordo_clock_read_cpu skewed_native_read_cpu
#define ordo_clock_read_full_cpu skewed_native_read_full_cpu
#define ordo_clock_read_after_cpu skewed_native_read_after_cpu
#define ordo_clock_read_after_full_cpu skewed_native_read_after_full_cpu
#if defined __x86_64__
#include <ordo/clock/x86_64.h>
#elif defined __aarch64__
#include <ordo/clock/aarch64.h>
#elif defined __riscv && __riscv_xlen == 64
#include <ordo/clock/riscv64.h>
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
#undef ordo_clock_read_cpu
#undef ordo_clock_read_full_cpu
#undef ordo_clock_read_after_cpu
#undef ordo_clock_read_after_full_cpu
/* A read does not use the order that one side of it, or an exchange, already gives: clock.h falls back on the full
 * reads. */
#undef ORDO_CLOCK_KNOWS_EXCHANGE
#undef ORDO_CLOCK_KNOWS_SIDES
/* The CPU of a read comes from the kernel, so there is nothing to compare it with. */
#undef ORDO_CLOCK_KNOWS_CPU
#undef ORDO_CLOCK_GETCPU
#define ORDO_CLOCK_KNOWS_CPU

/* One for all files of a program. */
__attribute__((weak)) const struct skewed_machine *skewed_machine;

__attribute__((weak, constructor)) void skewed_open(void)
{
    const char *path = getenv("ORDO_SKEW_FILE");
    if (skewed_machine || !path)
        return;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    void *map = fd < 0 ? MAP_FAILED : mmap(NULL, sizeof *skewed_machine, PROT_READ, MAP_SHARED, fd, 0);
    if (map == MAP_FAILED)
        abort(); /* otherwise a test would take true clocks for skewed ones, and pass */
    (void)close(fd);
    skewed_machine = (const struct skewed_machine *)map;
}

#if defined __GLIBC__ && defined __x86_64__ && __GLIBC_PREREQ(2, 35)
extern const ptrdiff_t __rseq_offset;
extern const unsigned __rseq_size;
/* The kernel keeps the number of the thread's CPU in its rseq area, after 4 bytes. */
static inline unsigned skewed_cpu_now(void)
{
    if (__rseq_size == 0)
        return (unsigned)sched_getcpu();
    char *thread;
    __asm__("movq %%fs:0, %0" : "=r"(thread));
    return *(const volatile uint32_t *)(const void *)(thread + __rseq_offset + 4);
}
#else
static inline unsigned skewed_cpu_now(void)
{
    return (unsigned)sched_getcpu();
}
#endif

#if defined __x86_64__
static inline uint64_t skewed_native_ordered(void)
{
    uint64_t low, high; /* the instruction clears the upper halves of both registers */
    __asm__ volatile("lfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high) : : "memory");
    return high << 32 | low;
}
#else
static inline uint64_t skewed_native_ordered(void)
{
    return skewed_native_read();
}
#endif

/* Returns the skewed clock by a native read; `*cpu` becomes the CPU of the read. */
__attribute__((always_inline)) static inline uint64_t skewed_read_by(uint64_t (*native)(void), unsigned *cpu)
{
    uint64_t now;
    do {
        *cpu = skewed_cpu_now();
        now = native();
    } while (*cpu != skewed_cpu_now());
    return skewed_machine ? now + (uint64_t)skewed_ahead(skewed_machine, *cpu, now) : now;
}

static inline uint64_t SKEWED_CPUS_NAME(read_cpu)(unsigned *cpu)
{
    return skewed_read_by(skewed_native_ordered, cpu);
}

static inline uint64_t SKEWED_CPUS_NAME(read_full_cpu)(unsigned *cpu)
{
    return skewed_read_by(skewed_native_read_full, cpu);
}

static inline uint64_t SKEWED_CPUS_NAME(relaxed)(void)
{
    unsigned cpu;
    return skewed_read_by(skewed_native_relaxed, &cpu);
}

static inline uint64_t SKEWED_CPUS_NAME(read)(void)
{
    unsigned cpu;
    return skewed_read_by(skewed_native_ordered, &cpu);
}

static inline uint64_t SKEWED_CPUS_NAME(read_full)(void)
{
    unsigned cpu;
    return skewed_read_by(skewed_native_read_full, &cpu);
}
