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

int64_t ordo_turns_wait(const struct ordo_turns *turns, int64_t now_ns)
{
    int64_t wait_ns = turns->paid_ns - (ORDO_TURNS_AT_ONCE - 1) * ORDO_TURN_NS - now_ns;
    return wait_ns > 0 ? wait_ns : 0;
}

void ordo_turns_take(struct ordo_turns *turns, int64_t now_ns)
{
    turns->paid_ns = (turns->paid_ns > now_ns ? turns->paid_ns : now_ns) + ORDO_TURN_NS;
}
