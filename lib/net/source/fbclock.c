/* The page of fbclock's daemon (net/page/fbclock.h). */
#include "net/page/fbclock.h"
#include "base/time.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "net/source/source.h"

static int read_fbclock(const struct ordo_source_options *options, struct ordo_source_claim *claim,
                        struct ordo_error *error)
{
    unsigned char bytes[ORDO_NET_FBCLOCK_BYTES];
    struct ordo_net_fbclock page;
    struct ordo_interval utc_ns = {0};
    const char *path = options->path ? options->path : "/run/fbclock_data_v2";
    int code = ordo_net_page_read(path, &ordo_net_fbclock_form, bytes, error);
    if (!code)
        code = ordo_net_fbclock_parse(bytes, path, &page, error);
    if (code)
        return code;
    int64_t system_ns = ordo_time_ns(page.system_clock);
    code = ordo_net_fbclock_at(&page, system_ns, path, &utc_ns, error);
    *claim = (struct ordo_source_claim){.clock = page.system_clock == CLOCK_REALTIME ? ORDO_SOURCE_REALTIME
                                                                                     : ORDO_SOURCE_RAW,
                                        .reading = (uint64_t)system_ns,
                                        .earliest_ns = utc_ns.low,
                                        .latest_ns = utc_ns.high,
                                        .void_after_raw_ns = INT64_MAX,
                                        .age_ns = system_ns > page.system_ns ? system_ns - page.system_ns : 0,
                                        .widen_ppb = page.growth_ns,
                                        .state = ORDO_SOURCE_SYNCHRONISED};
    (void)snprintf(claim->evidence, sizeof claim->evidence,
                   "error_bound %" PRId64 " ns, holdover %.3f ns/s, since the last message %.3f s, coefficient %" PRId64
                   " ppb",
                   page.error_ns, page.growth_ns, (double)(page.card_ns - page.ingress_ns) * 1e-9, page.rate_ppb);
    return code;
}

const struct ordo_source ordo_source_fbclock = {
    .name = "fbclock",
    .title = "fbclock's page, layout 2",
    .default_path = "/run/fbclock_data_v2",
    .read = read_fbclock,
};
