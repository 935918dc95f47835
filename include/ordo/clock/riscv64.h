/* RISC-V (RV64): the `time` CSR, one real-time counter for all harts.
 *
 * Why the reads are ordered as clock.h says (Unprivileged ISA, "CSR Access Ordering"): program order does not order the
 * time CSR with memory accesses, and FENCE treats a CSR read as device input (I).
 *
 *  read  `fence r, i` keeps the counter read behind earlier loads; `fence i, iorw` keeps later accesses
 *        behind the counter read.
 *  full  `fence rw, i` keeps the counter read behind earlier loads and stores.
 *  after `fence r, i; rdtime`: the first half of `read`. A CSR is ordered like weakly ordered memory-mapped I/O (same
 *        section). Therefore a store whose value depends on the ticks comes after the read. Any other later access may
 *        come before the read.
 *  after, full
 *        `fence rw, i; rdtime`: the first half of `full`.
 *  before
 *        `rdtime; fence i, iorw`: the second half. Nothing keeps the counter read behind earlier accesses.
 */
#ifndef ORDO_CLOCK_INCLUDED_BY_CLOCK_H
#error "include <ordo/clock.h>"
#endif

#define ORDO_CLOCK_ID ORDO_CLOCK_RISCV_TIME
#define ORDO_CLOCK_NAME "time"

static inline uint64_t ordo_clock_relaxed(void)
{
    uint64_t ticks;
    __asm__ volatile("rdtime %0" : "=r"(ticks));
    return ticks;
}

static inline uint64_t ordo_clock_read(void)
{
    uint64_t ticks;
    __asm__ volatile("fence r, i\n\trdtime %0\n\tfence i, iorw" : "=r"(ticks) : : "memory");
    return ticks;
}

static inline uint64_t ordo_clock_read_full(void)
{
    uint64_t ticks;
    __asm__ volatile("fence rw, i\n\trdtime %0\n\tfence i, iorw" : "=r"(ticks) : : "memory");
    return ticks;
}

#define ORDO_CLOCK_KNOWS_SIDES
static inline uint64_t ordo_clock_read_after(void)
{
    uint64_t ticks;
    __asm__ volatile("fence r, i\n\trdtime %0" : "=r"(ticks) : : "memory");
    return ticks;
}

static inline uint64_t ordo_clock_read_after_full(void)
{
    uint64_t ticks;
    __asm__ volatile("fence rw, i\n\trdtime %0" : "=r"(ticks) : : "memory");
    return ticks;
}

static inline uint64_t ordo_clock_read_before(void)
{
    uint64_t ticks;
    __asm__ volatile("rdtime %0\n\tfence i, iorw" : "=r"(ticks) : : "memory");
    return ticks;
}

static inline void ordo_clock_pause(void)
{
    /* The encoding of Zihintpause's PAUSE hint, which is a FENCE on harts without the extension. */
    __asm__ volatile(".4byte 0x0100000f" : : : "memory");
}
