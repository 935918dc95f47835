#include "lab/net/servo/stamps.h"

#include <math.h>

#include "base/random.h"

struct ordo_net_stamps ordo_net_stamps_defaults(void)
{
    return (struct ordo_net_stamps){.jitter_ns = 2000};
}

static int64_t wait_ps(double mean_ns, uint64_t *random)
{
    return (int64_t)(-log1p(-ordo_random_unit(random)) * mean_ns * 1000);
}

int64_t ordo_net_stamps_sent(const struct ordo_net_stamps *stamps, int64_t wire_ps, uint64_t *random)
{
    return stamps->software ? wire_ps - wait_ps(stamps->jitter_ns, random) : wire_ps;
}

int64_t ordo_net_stamps_came(const struct ordo_net_stamps *stamps, int node, int64_t wire_ps, uint64_t *random)
{
    if (!stamps->software)
        return wire_ps;
    int64_t waking_ps = node > 0 ? stamps->waking_ns * INT64_C(1000) : 0;
    return wire_ps + wait_ps(stamps->jitter_ns, random) + waking_ps;
}
