/* AArch64: the virtual counter CNTVCT_EL0, one system counter for all cores.
 *
 * Why the reads are ordered as clock.h says (Arm ARM, DDI 0487, "The Generic Timer" and "Memory barriers"):
 *
 *  read  `dsb ishld; isb; mrs; isb`. A read of the counter may occur speculatively and out of order with other
 *        instructions of the same PE. An ISB alone does not wait for the value of an earlier load; DSB ISHLD completes
 *        only when earlier loads have completed, and no instruction after the ISB is executed before the ISB completes.
 *        Because of the second ISB, every later instruction is fetched after the counter was read.
 *  full  `dsb ish` replaces `dsb ishld`. DSB ISH also waits until earlier stores are visible to the inner shareable
 *        domain, that is, to every core that a process can run on.
 *  after `dsb ishld; isb; mrs`: the first half of `read`. Only the dependency described below keeps later accesses
 *        behind MRS.
 *  after, full
 *        `dsb ish; isb; mrs`: the first half of `full`.
 *  before
 *        `mrs; isb`: the second half. The architecture allows MRS to be performed before any earlier instruction, even
 *        before the MRS of an earlier `after`.
 *
 * A store-release does not order the counter read. If a thread stores a time in memory, the stored value depends on the
 * register that MRS wrote, and this dependency orders the store after MRS.
 */
#ifndef ORDO_CLOCK_INCLUDED_BY_CLOCK_H
#error "include <ordo/clock.h>"
#endif

#define ORDO_CLOCK_ID ORDO_CLOCK_CNTVCT
#define ORDO_CLOCK_NAME "cntvct"

static inline uint64_t ordo_clock_relaxed(void)
{
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
}

static inline uint64_t ordo_clock_read(void)
{
    uint64_t ticks;
    __asm__ volatile("dsb ishld\n\tisb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(ticks) : : "memory");
    return ticks;
}

static inline uint64_t ordo_clock_read_full(void)
{
    uint64_t ticks;
    __asm__ volatile("dsb ish\n\tisb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(ticks) : : "memory");
    return ticks;
}

#define ORDO_CLOCK_KNOWS_SIDES
static inline uint64_t ordo_clock_read_after(void)
{
    uint64_t ticks;
    __asm__ volatile("dsb ishld\n\tisb\n\tmrs %0, cntvct_el0" : "=r"(ticks) : : "memory");
    return ticks;
}

static inline uint64_t ordo_clock_read_after_full(void)
{
    uint64_t ticks;
    __asm__ volatile("dsb ish\n\tisb\n\tmrs %0, cntvct_el0" : "=r"(ticks) : : "memory");
    return ticks;
}

static inline uint64_t ordo_clock_read_before(void)
{
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0\n\tisb" : "=r"(ticks) : : "memory");
    return ticks;
}

static inline void ordo_clock_pause(void)
{
    __asm__ volatile("yield" : : : "memory");
}
