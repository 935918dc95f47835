/* Limits the number of events per second, by a token bucket. */
#ifndef ORDO_NET_LIVE_LIMIT_H
#define ORDO_NET_LIVE_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

struct ordo_net_limit {
    int64_t full_at_ns; /* when the bucket is full again if no more tokens are taken */
};

/** Takes a token. False if the bucket is empty. The bucket gets `per_second` tokens in a second, and holds those of a
 * tenth of a second, but at least 8. */
static inline bool ordo_net_limit_take(struct ordo_net_limit *limit, int per_second, int64_t now_ns)
{
    int64_t each_ns = 1000000000 / per_second, burst_ns = each_ns * (per_second / 10 > 8 ? per_second / 10 : 8);
    int64_t from_ns = limit->full_at_ns > now_ns ? limit->full_at_ns : now_ns;
    if (from_ns + each_ns > now_ns + burst_ns)
        return false;
    limit->full_at_ns = from_ns + each_ns;
    return true;
}

#endif
