/* An oscillator of a constant rate, whose period is a whole number of femtoseconds: its ticks are never rounded, so a
 * count of 10^9 ticks is exact.
 *
 * A clock of sim/clock.h rounds to 1 ps, which for a tick of several ns is more than 100 ppm; 1 fs is about 0.2 ppm. */
#ifndef ORDO_LAB_NET_SIM_OSCILLATOR_H
#define ORDO_LAB_NET_SIM_OSCILLATOR_H

#include <stdint.h>

struct ordo_net_oscillator {
    int64_t period_fs; /* positive */
    int64_t first_fs;  /* true time of tick 0; within a period before 0 */
};

/** Returns the number of the latest tick at a true time, which must not be negative. */
static inline int64_t ordo_net_oscillator_ticks(const struct ordo_net_oscillator *oscillator, int64_t true_fs)
{
    return (true_fs - oscillator->first_fs) / oscillator->period_fs;
}

/** Returns the number of the first tick that is not before a true time. */
static inline int64_t ordo_net_oscillator_next(const struct ordo_net_oscillator *oscillator, int64_t true_fs)
{
    return (true_fs - oscillator->first_fs + oscillator->period_fs - 1) / oscillator->period_fs;
}

/** Returns the true time of a tick. */
static inline int64_t ordo_net_oscillator_at(const struct ordo_net_oscillator *oscillator, int64_t tick)
{
    return oscillator->first_fs + tick * oscillator->period_fs;
}

#endif
