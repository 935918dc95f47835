/* Authors, paper, section, and the conditions under which the estimate is right. Here: the middle of the exchange with
 * the shortest round trip. It is right if both directions took the same time. */
#include "cluster/offset/estimator.h"

static int64_t trip_ns(const struct ordo_exchange *exchange)
{
    return exchange->received_ns - exchange->sent_ns;
}

static struct ordo_offset estimate_NAME(struct ordo_exchange *exchanges, int count, int64_t rtt_ns)
{
    const struct ordo_exchange *best = exchanges;
    (void)rtt_ns;
    for (int i = 1; i < count; i++)
        if (trip_ns(&exchanges[i]) < trip_ns(best))
            best = &exchanges[i];
    int64_t middle_ns = best->sent_ns + trip_ns(best) / 2;
    return (struct ordo_offset){middle_ns, middle_ns - best->answered_ns};
}

const struct ordo_offset_estimator ordo_offset_estimator_NAME = {
    .name = "NAME", .title = "one line for people", .estimate = estimate_NAME};
