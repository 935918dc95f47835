#include "lab/net/ntp/strata.h"

#include "base/random.h"

/* D. E. Knuth, The Art of Computer Programming, volume 2, 3.4.2, algorithm S. */
int ordo_net_ntp_pick(int host, int count, uint64_t *random, int *picked)
{
    int taken = 0;
    for (int i = 0; i < host && taken < count; i++)
        if (ordo_random_unit(random) * (host - i) < count - taken)
            picked[taken++] = i;
    return taken;
}

int ordo_net_ntp_choose(const struct ordo_net_ntp_upstream *upstreams, int count)
{
    int best = -1;
    for (int i = 0; i < count; i++) {
        const struct ordo_net_ntp_upstream *one = &upstreams[i];
        if (one->stratum == 0 || one->stratum + 1 >= ORDO_NET_NTP_UNSYNCHRONISED)
            continue;
        if (best < 0 || one->stratum < upstreams[best].stratum ||
            (one->stratum == upstreams[best].stratum && one->distance_ps < upstreams[best].distance_ps))
            best = i;
    }
    return best;
}
