/* The page is about the counter of the processor, whichever clock the runtime of this build reads. */
#undef ORDO_CLOCK_HEADER
#include <ordo/clock.h>

#include "machine/clock/source.h"
#include "machine/clock/vclock.h"

enum { TRIES = 1000 };

static uint64_t read_hyperv_units(void)
{
    const struct ordo_vclock_hyperv *page = ordo_vclock_page(ORDO_VCLOCK_HYPERV);
    for (int i = 0; page && ORDO_CLOCK_ID == ORDO_CLOCK_TSC && i < TRIES; i++) {
        /* Acquire: pairs with the hypervisor's change of the sequence: scale and offset. */
        uint32_t sequence = __atomic_load_n(&page->sequence, __ATOMIC_ACQUIRE);
        struct ordo_vclock_hyperv copy = *page;
        uint64_t ticks = ordo_clock_read(); /* after the loads of the copy */
        /* Relaxed: the clock is read after the loads of the copy, and this load comes after the clock. */
        if (sequence == __atomic_load_n(&page->sequence, __ATOMIC_RELAXED)) {
            copy.sequence = sequence;
            return ordo_vclock_hyperv_units(&copy, ticks);
        }
    }
    return 0;
}

const struct ordo_clock_source ordo_clock_source_hyperv = {
    .name = "hyperv",
    .title = "the page of Hyper-V, which the kernel maps for hyperv_clocksource_tsc_page",
    .unit_hz = 10000000,
    .on_request = true,
    .read = read_hyperv_units,
};
