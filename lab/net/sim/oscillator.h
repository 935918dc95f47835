/* An oscillator of one rate, in whole femtoseconds: nothing is rounded, so that a count of 10^9 ticks is exact.
 *
 * A clock of sim/clock.h rounds to the picosecond, which at ticks of nanoseconds would be a hundred parts per million. A femtosecond is 0.2 of one. */
#ifndef ORDO_LAB_NET_SIM_OSCILLATOR_H
#define ORDO_LAB_NET_SIM_OSCILLATOR_H

#include <stdint.h>

struct ordo_net_oscillator {
    int64_t period_fs; /* positive */
    int64_t first_fs;  /* true time of tick 0; within a period before 0 */
};

/** The number of the latest tick at a true time that is not negative. */
static inline int64_t ordo_net_oscillator_ticks(const struct ordo_net_oscillator *oscillator, int64_t true_fs)
{
    return (true_fs - oscillator->first_fs) / oscillator->period_fs;
}

/** The number of the first tick that is not before a true time. */
static inline int64_t ordo_net_oscillator_next(const struct ordo_net_oscillator *oscillator, int64_t true_fs)
{
    return (true_fs - oscillator->first_fs + oscillator->period_fs - 1) / oscillator->period_fs;
}

/** The true time of a tick. */
static inline int64_t ordo_net_oscillator_at(const struct ordo_net_oscillator *oscillator, int64_t tick)
{
    return oscillator->first_fs + tick * oscillator->period_fs;
}

#endif
