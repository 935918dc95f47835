#include "lab/net/osmosis/pll.h"

#include <math.h>

#include "base/random.h"

/* Returns a normal number with mean 0 and standard deviation 1. */
static double normal_noise(uint64_t *random)
{
    double radius = sqrt(-2 * log(1 - ordo_random_unit(random)));
    return radius * cos(2 * acos(-1) * ordo_random_unit(random));
}

size_t ordo_net_pll_follow(const struct ordo_net_pll *pll, const int64_t *reference_fs, size_t edges, int64_t *own_fs)
{
    uint64_t random = pll->seed;
    double at_fs = pll->enabled ? pll->first_fs : (double)reference_fs[0], drift_fs = 0;
    size_t count = 0;
    for (size_t cell = 0; (cell + 1) * (size_t)pll->down <= edges; cell++) {
        double edge_fs = (double)reference_fs[cell * (size_t)pll->down], per_edge_fs = 0;
        if (cell == pll->enabled)
            at_fs = edge_fs; /* J3 */
        if (cell >= pll->enabled) {
            drift_fs += pll->integral * (edge_fs - at_fs) / pll->up;
            per_edge_fs = pll->proportional * (edge_fs - at_fs) / pll->up + drift_fs;
        }
        for (int i = 0; i < pll->up; i++) {
            own_fs[count++] = llround(at_fs);
            at_fs += pll->period_fs * (1 + pll->off) + per_edge_fs + pll->noise_fs * normal_noise(&random);
        }
    }
    return count;
}
