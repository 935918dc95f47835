/* The page of ClockBound's daemon (net/page/clockbound.h). It is about the counter of the processor, whichever clock the
 * runtime of this build reads. */
#undef ORDO_CLOCK_HEADER
#include "net/page/clockbound.h"
#include "base/time.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include <ordo/clock.h>

#include "net/source/source.h"

static const char newer[] = "/run/clockbound/shm1", older[] = "/run/clockbound/shm0";

/* Reads the page in the highest layout that it has and that is known here. */
static int take_page(const char *path, struct ordo_net_clockbound *page, struct ordo_error *error)
{
    unsigned char bytes[ORDO_NET_CLOCKBOUND3_BYTES];
    int code = ordo_net_page_read(path, &ordo_net_clockbound_form, bytes, error);
    if (code)
        return code;
    if (bytes[12] < 3 && bytes[13] < 3)
        return ordo_net_clockbound_parse(bytes, 2, path, page, error);
    code = ordo_net_page_read(path, &ordo_net_clockbound3_form, bytes, error);
    return code ? code : ordo_net_clockbound_parse(bytes, 3, path, page, error);
}

static enum ordo_source_state state_of_daemon(const struct ordo_net_clockbound *page)
{
    static const enum ordo_source_state states[] = {
        [ORDO_NET_CLOCKBOUND_UNKNOWN] = ORDO_SOURCE_UNKNOWN,
        [ORDO_NET_CLOCKBOUND_SYNCHRONIZED] = ORDO_SOURCE_SYNCHRONISED,
        [ORDO_NET_CLOCKBOUND_FREE_RUNNING] = ORDO_SOURCE_FREE,
        [ORDO_NET_CLOCKBOUND_DISRUPTED] = ORDO_SOURCE_DISRUPTED,
    };
    return states[page->status];
}

/* States the claim of a page whose times belong to CLOCK_MONOTONIC_COARSE: the bound is that of CLOCK_REALTIME. */
static int claim_real(const struct ordo_net_clockbound *page, const char *path, struct ordo_source_claim *claim,
                      struct ordo_error *error)
{
    int64_t coarse_ns = ordo_time_ns(CLOCK_MONOTONIC_COARSE), real_ns = ordo_time_ns(CLOCK_REALTIME), bound_ns = 0;
    int code = ordo_net_clockbound_bound(page, coarse_ns, path, &bound_ns, error);
    claim->clock = ORDO_SOURCE_REALTIME;
    claim->reading = (uint64_t)real_ns;
    claim->earliest_ns = real_ns - bound_ns;
    claim->latest_ns = real_ns + bound_ns;
    claim->age_ns = coarse_ns > page->as_of_ns ? coarse_ns - page->as_of_ns : 0;
    claim->void_after_raw_ns = ordo_raw_ns() + (page->void_after_ns - coarse_ns);
    return code;
}

/* States the claim of a page whose times belong to the counter of the processor. */
static int claim_counter(const struct ordo_net_clockbound *page, const char *path, struct ordo_source_claim *claim,
                         struct ordo_error *error)
{
    struct ordo_interval utc_ns;
    uint64_t ticks = ordo_clock_read();
    if (!ordo_net_clockbound_at(page, ticks, &utc_ns))
        return ordo_error_set(error, ORDO_E_EXPIRED, 0,
                              "%.110s: is about a counter that this machine has not reached: restart clockbound", path);
    if (utc_ns.low > page->void_after_ns)
        return ordo_error_set(error, ORDO_E_EXPIRED, 0, "%.110s: is void since %.0f s: see that clockbound runs", path,
                              (double)(utc_ns.low - page->void_after_ns) * 1e-9);
    claim->clock = ORDO_SOURCE_COUNTER;
    claim->reading = ticks;
    claim->earliest_ns = utc_ns.low;
    claim->latest_ns = utc_ns.high;
    claim->age_ns = utc_ns.low > page->as_of_ns ? utc_ns.low - page->as_of_ns : 0;
    claim->void_after_raw_ns = ordo_raw_ns() + (page->void_after_ns - utc_ns.low);
    return ORDO_OK;
}

static int read_clockbound(const struct ordo_source_options *options, struct ordo_source_claim *claim,
                           struct ordo_error *error)
{
    struct ordo_net_clockbound page;
    const char *path = options->path ? options->path : newer;
    int code = take_page(path, &page, error);
    if (code == ORDO_E_MISSING && !options->path)
        code = take_page(path = older, &page, error);
    if (code)
        return code;
    *claim = (struct ordo_source_claim){.state = state_of_daemon(&page),
                                        .widen_ppb = (double)page.drift_ppb,
                                        .knows_marker = page.notices,
                                        .marker = page.marker};
    (void)snprintf(claim->evidence, sizeof claim->evidence,
                   "layout %d, bound %" PRId64 " ns, max drift %" PRId64 " ppb, status %d, marker %" PRIu64,
                   page.layout, page.bound_ns, page.drift_ppb, (int)page.status, page.marker);
    if (claim->state == ORDO_SOURCE_UNKNOWN || claim->state == ORDO_SOURCE_DISRUPTED)
        return ORDO_OK;
    return (ordo_net_clockbound_counts(&page) ? claim_counter : claim_real)(&page, path, claim, error);
}

const struct ordo_source ordo_source_clockbound = {
    .name = "clockbound",
    .title = "ClockBound's page, layout 2 or 3: /run/clockbound/shm1, else shm0",
    .read = read_clockbound,
};
