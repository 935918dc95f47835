#include "calibrate/watch/pace.h"

struct ordo_pace ordo_pace_begin(double share)
{
    return (struct ordo_pace){share, ORDO_PACE_RESERVE_NS};
}

static int64_t clip(double ns)
{
    const double hour_ns = 3.6e12;
    return (int64_t)(ns < ORDO_PACE_LEAST_NS ? ORDO_PACE_LEAST_NS : ns > hour_ns ? hour_ns : ns);
}

int64_t ordo_pace_after(struct ordo_pace *pace, int64_t used_ns)
{
    int64_t wait_ns = clip((double)used_ns / (0.9 * pace->share));
    if (wait_ns > ORDO_PACE_MOST_NS && pace->reserve_ns > used_ns)
        wait_ns = ORDO_PACE_MOST_NS;
    pace->reserve_ns += (int64_t)((double)wait_ns * pace->share) - used_ns;
    if (pace->reserve_ns > ORDO_PACE_RESERVE_NS)
        pace->reserve_ns = ORDO_PACE_RESERVE_NS;
    return wait_ns;
}

bool ordo_pace_spend(struct ordo_pace *pace, int64_t used_ns)
{
    if (pace->reserve_ns < used_ns)
        return false;
    pace->reserve_ns -= used_ns;
    return true;
}
