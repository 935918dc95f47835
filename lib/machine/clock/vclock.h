/* The pages by which a hypervisor gives its guests a clock. The kernel maps them into every process for the vDSO, as
 * [vvar_vclock] (Linux 6.13): the page of KVM and Xen (pvclock) is the first, and that of Hyper-V is the second.
 *
 * Both convert the counter of the processor: pvclock to ns since the boot of the guest, Hyper-V to units of 100 ns. The
 * hypervisor changes a page if the guest is moved. In pvclock it makes `version` odd meanwhile; in Hyper-V a `sequence`
 * of 0 says that the page is invalid, so that the clock must be read another way. */
#ifndef ORDO_MACHINE_CLOCK_VCLOCK_H
#define ORDO_MACHINE_CLOCK_VCLOCK_H

#include <stdbool.h>
#include <stdint.h>

enum { ORDO_VCLOCK_PV, ORDO_VCLOCK_HYPERV };

/** Returns the page of this process, ORDO_VCLOCK_PV or ORDO_VCLOCK_HYPERV. NULL: the kernel maps no such page. */
const void *ordo_vclock_page(int number);

/** KVM and Xen. */
struct ordo_vclock_pv {
    uint32_t version, unused;
    uint64_t ticks, time_ns;
    uint32_t multiplier; /* ns per shifted tick, times 2^32 */
    int8_t shift;
    uint8_t flags;
};

enum { ORDO_VCLOCK_PV_STABLE = 1 }; /* in `flags`: the counters of all CPUs agree, so the page holds for each of them */

/** Hyper-V. */
struct ordo_vclock_hyperv {
    uint32_t sequence, unused;
    uint64_t scale; /* units per tick, times 2^64 */
    int64_t offset;
};

/** Returns the time of pvclock at a reading of the counter, in ns. 0: the page is being changed, or holds for CPU 0
 * only. */
static inline uint64_t ordo_vclock_pv_ns(const struct ordo_vclock_pv *page, uint64_t ticks)
{
    uint64_t passed = ticks > page->ticks ? ticks - page->ticks : 0;
    if (page->version % 2 || !(page->flags & ORDO_VCLOCK_PV_STABLE) || page->shift < -63 || page->shift > 63)
        return 0;
    passed = page->shift < 0 ? passed >> -page->shift : passed << page->shift;
    return page->time_ns + (uint64_t)((unsigned __int128)passed * page->multiplier >> 32);
}

/** Returns the time of Hyper-V at a reading of the counter, in units of 100 ns. 0: the page is invalid. */
static inline uint64_t ordo_vclock_hyperv_units(const struct ordo_vclock_hyperv *page, uint64_t ticks)
{
    uint64_t product = (uint64_t)((unsigned __int128)ticks * page->scale >> 64);
    return page->sequence == 0 ? 0 : product + (uint64_t)page->offset;
}

#endif
