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
 * The CPU's number is read before and after the counter. If the numbers differ, the thread was moved in between and
 * reads again. If a thread was moved away and back within these few instructions, it reads the counter of another CPU;
 * the error is at most the real boundary of this machine. */
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
/* This clock has no special reads that are ordered on one side or rely on a preceding exchange: clock.h uses the full
 * reads instead. */
#undef ORDO_CLOCK_KNOWS_EXCHANGE
#undef ORDO_CLOCK_KNOWS_SIDES
/* Here the CPU's number comes from the kernel, so a comparison with the kernel's number would be useless. */
#undef ORDO_CLOCK_KNOWS_CPU
#undef ORDO_CLOCK_GETCPU
#define ORDO_CLOCK_KNOWS_CPU

/* The mapped machine, shared by all files of a program. */
__attribute__((weak)) const struct skewed_machine *skewed_machine;

__attribute__((weak, constructor)) void skewed_open(void)
{
    const char *path = getenv("ORDO_SKEW_FILE");
    if (skewed_machine || !path)
        return;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    void *map = fd < 0 ? MAP_FAILED : mmap(NULL, sizeof *skewed_machine, PROT_READ, MAP_SHARED, fd, 0);
    if (map == MAP_FAILED)
        abort(); /* otherwise a test would run on true clocks, and pass */
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
