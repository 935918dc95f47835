/* A clock that is steered: one that runs free, and what its host believes it to be ahead of the time. */
#ifndef ORDO_LAB_NET_SERVO_STEERED_H
#define ORDO_LAB_NET_SERVO_STEERED_H

#include <math.h>
#include <stdint.h>

/** All of the free clock. Zeros: the clock is the time. */
struct ordo_net_steered {
    int64_t since_ps;       /* when it showed this, */
    double offset_ps, rate; /* it was ahead by this, which grows by this */
};

/** What the clock is believed to be ahead by when it shows `at_ps`. */
static inline double ordo_net_steered_ahead(const struct ordo_net_steered *clock, int64_t at_ps)
{
    return clock->offset_ps + clock->rate * (double)(at_ps - clock->since_ps);
}

/** The time, as its host believes it, when it shows `at_ps`. */
static inline int64_t ordo_net_steered_time(const struct ordo_net_steered *clock, int64_t at_ps)
{
    return at_ps - llround(ordo_net_steered_ahead(clock, at_ps));
}

/** From `at_ps` on it is steered with another rate, after a step of `step_ps`. */
static inline void ordo_net_steered_turn(struct ordo_net_steered *clock, int64_t at_ps, double step_ps, double rate)
{
    clock->offset_ps = ordo_net_steered_ahead(clock, at_ps) + step_ps;
    clock->since_ps = at_ps;
    clock->rate = rate;
}

#endif
