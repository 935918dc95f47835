#include "lab/net/ptp/system.h"

int ordo_net_ptp_system_make(struct ordo_net_ptp_system *system, const struct ordo_net_clock_options *options, int host,
                             uint64_t seed, int64_t true_ps, double every_s, struct ordo_error *error)
{
    *system = (struct ordo_net_ptp_system){.servo.gains = ordo_net_gains_of(every_s, false)};
    return ordo_net_clock_make(&system->clock, options, host, ~seed, true_ps, error);
}

void ordo_net_ptp_system_free(struct ordo_net_ptp_system *system)
{
    ordo_net_clock_free(&system->clock);
}

void ordo_net_ptp_system_lead(struct ordo_net_ptp_system *system, int64_t shown_ps, struct ordo_net_pi *servo,
                              struct ordo_net_steered *interface)
{
    int64_t own_ps = ordo_net_clock_stamp(&system->clock, system->now_ps);
    ordo_net_pi_take(servo, interface, shown_ps, (double)(shown_ps - own_ps));
}

void ordo_net_ptp_system_follow(struct ordo_net_ptp_system *system, int64_t shown_ps,
                                const struct ordo_net_steered *interface)
{
    int64_t own_ps = ordo_net_clock_stamp(&system->clock, system->now_ps);
    double ahead_ps = (double)(own_ps - ordo_net_steered_time(interface, shown_ps));
    ordo_net_pi_take(&system->servo, &system->steered, own_ps, ahead_ps);
}
