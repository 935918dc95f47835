/* x86-64: the time-stamp counter.
 *
 * Why the reads are ordered as clock.h says:
 *
 *  read  `rdtscp; lfence`. RDTSCP waits until every earlier instruction has executed and every earlier
 *        load is globally visible (Intel SDM vol. 2B, RDTSCP). It does not keep later instructions
 *        back; the LFENCE does: no later instruction begins, even speculatively, before the LFENCE
 *        completes, and it completes only after all earlier instructions have (SDM vol. 2A, LFENCE).
 *        Earlier stores may still sit in the store buffer: that is what `full` is for. A plain RDTSC
 *        may execute before an earlier load; measured, that makes a message arrive before it was sent.
 *  full  a locked read-modify-write completes only when earlier stores are globally visible (SDM vol. 3A,
 *        "Loads and Stores Are Not Reordered with Locked Instructions"); LFENCE then keeps RDTSC
 *        behind it, and the last LFENCE keeps later accesses behind RDTSC.
 *
 * On AMD, LFENCE serialises dispatch only with MSR C001_1029[1] set (AMD APM vol. 3, LFENCE); Linux sets
 * it at boot on every processor that has it.
 *
 * RDTSCP also writes ECX (IA32_TSC_AUX). A compiler that is not told so loses a register of the caller.
 */
#ifndef ORDO_CLOCK_INCLUDED_BY_CLOCK_H
#error "include <ordo/clock.h>"
#endif

#define ORDO_CLOCK_ID ORDO_CLOCK_TSC
#define ORDO_CLOCK_NAME "tsc"

static inline uint64_t ordo_clock_relaxed(void)
{
    uint64_t low, high; /* the instruction clears the upper halves of both registers */
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return high << 32 | low;
}

static inline uint64_t ordo_clock_read(void)
{
    uint64_t low, high; /* the instruction clears the upper halves of both registers */
    __asm__ volatile("rdtscp\n\tlfence" : "=a"(low), "=d"(high) : : "rcx", "memory");
    return high << 32 | low;
}

static inline uint64_t ordo_clock_read_full(void)
{
    uint64_t low, high; /* the instruction clears the upper halves of both registers */
    __asm__ volatile("lock; orl $0, (%%rsp)\n\tlfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high) : : "cc", "memory");
    return high << 32 | low;
}

static inline void ordo_clock_pause(void)
{
    __asm__ volatile("pause" : : : "memory");
}
