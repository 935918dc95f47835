/* The page is about the counter of the processor, whichever clock the runtime of this build reads. */
#undef ORDO_CLOCK_HEADER
#include <ordo/clock.h>

#include "machine/clock/source.h"
#include "machine/clock/vclock.h"

enum { TRIES = 1000 };

/* Copies the page around a reading of the counter. The copy is whole if the version is the same after it. */
static uint64_t read_pvclock_ns(void)
{
    const struct ordo_vclock_pv *page = ordo_vclock_page(ORDO_VCLOCK_PV);
    for (int i = 0; page && ORDO_CLOCK_ID == ORDO_CLOCK_TSC && i < TRIES; i++) {
        /* Acquire: pairs with the hypervisor's increment of the version: all fields. */
        uint32_t version = __atomic_load_n(&page->version, __ATOMIC_ACQUIRE);
        struct ordo_vclock_pv copy = *page;
        uint64_t ticks = ordo_clock_read(); /* after the loads of the copy */
        /* Relaxed: the clock is read after the loads of the copy, and this load comes after the clock. */
        if (version % 2 == 0 && version == __atomic_load_n(&page->version, __ATOMIC_RELAXED)) {
            copy.version = version;
            return ordo_vclock_pv_ns(&copy, ticks);
        }
    }
    return 0;
}

const struct ordo_clock_source ordo_clock_source_pvclock = {
    .name = "pvclock",
    .title = "the page of KVM or Xen, which the kernel maps for kvm-clock and xen",
    .unit_hz = 1000000000,
    .on_request = true,
    .read = read_pvclock_ns,
};
