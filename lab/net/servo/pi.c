#include "lab/net/servo/pi.h"

/* Before the servo computes the rate it waits for wait_by_integral divided by the integral gain, which is the time in
 * which the loop could learn the rate, but for at most `wait_most` measurements. */
static const double wait_by_integral = 0.016, wait_most = 16;

struct ordo_net_gains ordo_net_gains_of(double every_s, bool software)
{
    double proportional = software ? 0.1 : 0.7, integral = software ? 0.001 : 0.3;
    struct ordo_net_gains gains = {fmin(proportional * pow(every_s, -0.3), 0.7 / every_s),
                                   fmin(integral * pow(every_s, 0.4), 0.3 / every_s), 0};
    gains.wait_s = fmin(wait_by_integral / gains.integral, wait_most * every_s);
    return gains;
}

static bool too_early(const struct ordo_net_pi *pi, int64_t at_ps)
{
    return (double)(at_ps - pi->first_ps) < pi->gains.wait_s * 1e12;
}

void ordo_net_pi_take(struct ordo_net_pi *pi, struct ordo_net_steered *clock, int64_t at_ps, double offset_ps)
{
    double left_ps = offset_ps - ordo_net_steered_ahead(clock, at_ps), step_ps = left_ps, proportional = 0;
    if (pi->locked) {
        pi->integral += pi->gains.integral * left_ps * 1e-12;
        proportional = pi->gains.proportional * left_ps * 1e-12;
        step_ps = 0;
    } else if (!pi->begun && !pi->knows_rate)
        pi->first_ps = at_ps;
    else if (!pi->knows_rate) {
        if (too_early(pi, at_ps))
            return;
        pi->integral += left_ps / (double)(at_ps - pi->first_ps);
        pi->knows_rate = true;
    }
    pi->locked = pi->knows_rate;
    pi->begun = true;
    ordo_net_steered_turn(clock, at_ps, step_ps, pi->integral + proportional);
}

void ordo_net_pi_restart(struct ordo_net_pi *pi, bool other_source)
{
    pi->begun = pi->locked = false;
    pi->knows_rate &= !other_source;
}
