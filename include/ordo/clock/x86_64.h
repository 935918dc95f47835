/* x86-64: the time-stamp counter.
 *
 * Why the reads are ordered as clock.h says:
 *
 *  read  `lfence; rdtsc; lfence`. No later instruction begins, even speculatively, before an LFENCE completes, and it
 *        completes only after all earlier instructions have completed (SDM vol. 2A, LFENCE). Therefore the first LFENCE
 *        keeps RDTSC behind earlier loads, and the last one keeps later accesses behind RDTSC. Earlier stores may still
 *        be in the store buffer; only a `full` read waits for them. A plain RDTSC may execute before an earlier load;
 *        measurements show messages that then arrive before they were sent. RDTSCP could replace `lfence; rdtsc`, but
 *        may raise #UD on a processor, or under a hypervisor, that does not offer it in CPUID, and a test of CPUID at
 *        each read would cost too much. On AMD EPYC, RDTSCP costs the same as `lfence; rdtsc`.
 *  full  a locked read-modify-write completes only when earlier stores are globally visible (SDM vol. 3A, "Loads and
 *        Stores Are Not Reordered with Locked Instructions"); LFENCE then keeps RDTSC behind the locked operation, and
 *        the last LFENCE keeps later accesses behind RDTSC.
 *  after exchange
 *        `lfence; rdtsc`. The caller's own exchange, which is locked, replaces the locked operation of `full`. Nothing
 *        keeps later loads behind RDTSC. But a store is performed only after all earlier instructions, including RDTSC,
 *        have completed (AMD APM vol. 2, "Write Ordering"; on Intel too writes are never speculative, and a write whose
 *        value depends on the time waits for the time anyway). Therefore a load that must come later needs an exchange
 *        or a locked operation between RDTSC and itself: loads are not reordered with these (SDM, as above).
 *  after `lfence; rdtsc`. The LFENCE completes only after all earlier instructions have completed, so earlier loads are
 *        performed, and RDTSC does not begin before the LFENCE completes. SDM vol. 2B, RDTSC, names this sequence for a
 *        read "only after all previous instructions have executed and all previous loads are globally visible". Later
 *        loads may be performed before RDTSC is; later stores and locked operations may not (as above). clock.h
 *        promises this order only for stores whose value depends on the ticks.
 *  after, full
 *        `lfence; rdtsc` behind a locked read-modify-write, as in `full`. MFENCE would have the same effect at a higher
 *        cost.
 *  before
 *        `rdtsc; lfence`. No later instruction begins before the LFENCE completes, and the LFENCE completes only after
 *        RDTSC has completed: SDM vol. 2B, RDTSC, names this sequence for a read "prior to execution of any subsequent
 *        instruction (including any memory accesses)". Nothing keeps RDTSC behind earlier instructions: it may execute
 *        before an earlier load has its value, and before the RDTSC of an earlier `after`.
 *
 * On AMD, LFENCE serialises dispatch only if MSR C001_1029[1] is set (AMD APM vol. 3, LFENCE); Linux sets
 * it at boot on every processor that has it.
 *
 * The `_cpu` reads use RDTSCP, which also writes ECX (IA32_TSC_AUX): Linux keeps (node << 12 | cpu) there, so the low
 * 12 bits of ECX are the number of the CPU whose counter the same instruction returns. The `_cpu` reads are ordered as
 * the reads without `_cpu`, because RDTSCP can replace `lfence; rdtsc`: RDTSCP itself waits until every earlier
 * instruction has executed and every earlier load is globally visible (SDM vol. 2B, RDTSCP; APM vol. 3: retired). In
 * the full read, one of these earlier instructions is the locked operation with its store. There is no `_cpu` read for
 * `before`, because RDTSCP waits for earlier instructions anyway.
 *
 * Call ordo_clock_names_cpu before the first `_cpu` read. If CPUID does not offer RDTSCP, the instruction may raise
 * #UD. If RDTSCP nevertheless executes, a guest's kernel has not written IA32_TSC_AUX, and ECX may contain the number
 * of a CPU of the host.
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
    __asm__ volatile("lfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high) : : "memory");
    return high << 32 | low;
}

static inline uint64_t ordo_clock_read_full(void)
{
    uint64_t low, high; /* the instruction clears the upper halves of both registers */
    __asm__ volatile("lock; orl $0, (%%rsp)\n\tlfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high) : : "cc", "memory");
    return high << 32 | low;
}

#define ORDO_CLOCK_KNOWS_EXCHANGE
static inline uint64_t ordo_clock_read_after_exchange(void)
{
    uint64_t low, high; /* as above */
    __asm__ volatile("lfence\n\trdtsc" : "=a"(low), "=d"(high) : : "memory");
    return high << 32 | low;
}

#define ORDO_CLOCK_KNOWS_SIDES
static inline uint64_t ordo_clock_read_after(void)
{
    uint64_t low, high; /* as above */
    __asm__ volatile("lfence\n\trdtsc" : "=a"(low), "=d"(high) : : "memory");
    return high << 32 | low;
}

static inline uint64_t ordo_clock_read_after_full(void)
{
    uint64_t low, high; /* as above */
    __asm__ volatile("lock; orl $0, (%%rsp)\n\tlfence\n\trdtsc" : "=a"(low), "=d"(high) : : "cc", "memory");
    return high << 32 | low;
}

static inline uint64_t ordo_clock_read_before(void)
{
    uint64_t low, high; /* as above */
    __asm__ volatile("rdtsc\n\tlfence" : "=a"(low), "=d"(high) : : "memory");
    return high << 32 | low;
}

#if defined __LP64__ /* the system call has this number only in this ABI */
#define ORDO_CLOCK_KNOWS_CPU
#if defined __linux__
#define ORDO_CLOCK_GETCPU 309 /* a system call, because the vDSO reads the same register */
#ifdef __cplusplus
extern "C" long ordo_clock_getcpu(long, unsigned *, unsigned *, void *) __asm__("syscall");
#else
extern long ordo_clock_getcpu(long, unsigned *, unsigned *, void *) __asm__("syscall");
#endif
#endif

/* True if CPUID.80000001H:EDX[27] is set: the processor offers RDTSCP (SDM vol. 2A and APM vol. 3, CPUID). */
static inline int ordo_clock_names_cpu(void)
{
    uint32_t a = 0x80000000u, b, c = 0, d;
    __asm__("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    if (a < 0x80000001u)
        return 0;
    a = 0x80000001u;
    c = 0;
    __asm__("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    return (int)(d >> 27 & 1);
}

static inline uint64_t ordo_clock_read_cpu(unsigned *cpu)
{
    uint64_t low, high, aux; /* the instruction clears the upper halves of all three registers */
    __asm__ volatile("rdtscp\n\tlfence" : "=a"(low), "=d"(high), "=c"(aux) : : "memory");
    *cpu = (unsigned)aux & 0xfff;
    return high << 32 | low;
}

static inline uint64_t ordo_clock_read_full_cpu(unsigned *cpu)
{
    uint64_t low, high, aux; /* the instruction clears the upper halves of all three registers */
    __asm__ volatile("lock; orl $0, (%%rsp)\n\trdtscp\n\tlfence" : "=a"(low), "=d"(high), "=c"(aux) : : "cc", "memory");
    *cpu = (unsigned)aux & 0xfff;
    return high << 32 | low;
}

static inline uint64_t ordo_clock_read_after_cpu(unsigned *cpu)
{
    uint64_t low, high, aux; /* the instruction clears the upper halves of all three registers */
    __asm__ volatile("rdtscp" : "=a"(low), "=d"(high), "=c"(aux) : : "memory");
    *cpu = (unsigned)aux & 0xfff;
    return high << 32 | low;
}

static inline uint64_t ordo_clock_read_after_full_cpu(unsigned *cpu)
{
    uint64_t low, high, aux; /* the instruction clears the upper halves of all three registers */
    __asm__ volatile("lock; orl $0, (%%rsp)\n\trdtscp" : "=a"(low), "=d"(high), "=c"(aux) : : "cc", "memory");
    *cpu = (unsigned)aux & 0xfff;
    return high << 32 | low;
}
#endif

static inline void ordo_clock_pause(void)
{
    __asm__ volatile("pause" : : : "memory");
}
