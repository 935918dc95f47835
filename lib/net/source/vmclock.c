/* The page of VMClock (net/page/vmclock.h). It is about the counter of the processor, whichever clock the
 * runtime of this build reads. */
#undef ORDO_CLOCK_HEADER
#include "net/page/vmclock.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include <ordo/clock.h>

#include "net/source/source.h"

enum { TRIES = 4 };

/* Returns the number that VMClock gives to the counter that this program reads. -1: it has none. */
static int number_of_counter(void)
{
    return ORDO_CLOCK_ID == ORDO_CLOCK_TSC ? 1 : ORDO_CLOCK_ID == ORDO_CLOCK_CNTVCT ? 0 : -1;
}

/* Reads the page, the counter, and the page again: if the guest was moved in between, the marker differs. */
static int take_vmclock(const char *path, struct ordo_net_vmclock *page, uint64_t *ticks, struct ordo_error *error)
{
    unsigned char bytes[ORDO_NET_VMCLOCK_BYTES];
    struct ordo_net_vmclock after = {0};
    for (int i = 0; i < TRIES; i++) {
        int code = ordo_net_page_read(path, &ordo_net_vmclock_form, bytes, error);
        if (!code)
            code = ordo_net_vmclock_parse(bytes, path, page, error);
        *ticks = ordo_clock_read();
        if (!code)
            code = ordo_net_page_read(path, &ordo_net_vmclock_form, bytes, error);
        if (!code)
            code = ordo_net_vmclock_parse(bytes, path, &after, error);
        if (code || after.marker == page->marker)
            return code;
    }
    return ordo_error_set(error, ORDO_E_MEASURE, 0, "%.120s: its marker changes at every reading", path);
}

static int read_vmclock(const struct ordo_source_options *options, struct ordo_source_claim *claim,
                        struct ordo_error *error)
{
    struct ordo_net_vmclock page;
    struct ordo_interval utc_ns = {0};
    uint64_t ticks;
    const char *path = options->path ? options->path : "/dev/vmclock0";
    int code = take_vmclock(path, &page, &ticks, error);
    if (!code)
        code = ordo_net_vmclock_at(&page, ticks, number_of_counter(), path, &utc_ns, error);
    if (code)
        return code;
    *claim = (struct ordo_source_claim){.clock = ORDO_SOURCE_COUNTER,
                                        .reading = ticks,
                                        .earliest_ns = utc_ns.low,
                                        .latest_ns = utc_ns.high,
                                        .void_after_raw_ns = INT64_MAX,
                                        .age_ns = -1,
                                        .state = page.status == 2 ? ORDO_SOURCE_SYNCHRONISED : ORDO_SOURCE_FREE,
                                        .leap = page.leap == 1   ? ORDO_SOURCE_LEAP_ADD
                                                : page.leap == 2 ? ORDO_SOURCE_LEAP_DELETE
                                                                 : ORDO_SOURCE_LEAP_NONE,
                                        .knows_tai = page.flags & 1,
                                        .tai_s = (int32_t)page.tai_s,
                                        .knows_marker = true,
                                        .marker = page.marker};
    (void)snprintf(claim->evidence, sizeof claim->evidence,
                   "maxerror %" PRId64 " ns, clock_status %d, disruption_marker %" PRIu64 ", flags 0x%" PRIx64,
                   page.error_ns, page.status, page.marker, page.flags);
    return ORDO_OK;
}

const struct ordo_source ordo_source_vmclock = {
    .name = "vmclock",
    .title = "the hypervisor's page, /dev/vmclock0",
    .default_path = "/dev/vmclock0",
    .read = read_vmclock,
};
