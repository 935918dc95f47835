/* The middle line of the widest corridor between forward and reverse points: a linear program with three unknowns.
 *
 * After M. Lemmon, J. Ganguly, L. Xia, Model-based clock synchronization in networks with drifting clocks, PRDC 2000,
 * and S. B. Moon, P. Skelly, D. Towsley, Estimation and removal of clock skew from network delay measurements, INFOCOM
 * 1999. */
#include "net/offset/estimator.h"

static bool estimate_lp(const struct ordo_net_samples *samples, const struct ordo_net_hulls *hulls,
                        struct ordo_net_line *line)
{
    double half_ps;
    (void)samples;
    *line = ordo_net_corridor(hulls, line->at_ps, &half_ps);
    return true;
}

const struct ordo_net_offset_estimator ordo_net_offset_estimator_lp = {
    .name = "lp",
    .title = "the middle of the widest corridor that no probe contradicts",
    .estimate = estimate_lp,
};
