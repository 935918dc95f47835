/* A steered clock: a clock that runs free, and its host's estimate of how far it is ahead of the time. */
#ifndef ORDO_LAB_NET_SERVO_STEERED_H
#define ORDO_LAB_NET_SERVO_STEERED_H

#include <math.h>
#include <stdint.h>

/** The estimate for the free clock. Zeros: the clock shows the time. */
struct ordo_net_steered {
    int64_t since_ps;       /* a time of the free clock */
    double offset_ps, rate; /* how far the clock was ahead at since_ps, and the rate at which this grows */
};

/** Returns the estimate of how far the clock is ahead when it shows `at_ps`. */
static inline double ordo_net_steered_ahead(const struct ordo_net_steered *clock, int64_t at_ps)
{
    return clock->offset_ps + clock->rate * (double)(at_ps - clock->since_ps);
}

/** Returns the host's estimate of the time when the free clock shows `at_ps`. */
static inline int64_t ordo_net_steered_time(const struct ordo_net_steered *clock, int64_t at_ps)
{
    return at_ps - llround(ordo_net_steered_ahead(clock, at_ps));
}

/** Steers the clock from `at_ps` on: a step of `step_ps`, and a new rate. */
static inline void ordo_net_steered_turn(struct ordo_net_steered *clock, int64_t at_ps, double step_ps, double rate)
{
    clock->offset_ps = ordo_net_steered_ahead(clock, at_ps) + step_ps;
    clock->since_ps = at_ps;
    clock->rate = rate;
}

#endif
