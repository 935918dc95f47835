/* A proportional-integral servo: it turns the rate of a steered clock so that what is measured of it goes to 0.
 *
 * The first measurement is a step; a later one, once enough time has passed, is another and gives the rate as well, as the two differ by it;
 * from then on the rate is the integral and the proportional part (J. C. Eidson, Measurement, Control, and Communication Using IEEE 1588, Springer 2006,
 * chapter 5). */
#ifndef ORDO_LAB_NET_SERVO_PI_H
#define ORDO_LAB_NET_SERVO_PI_H

#include <stdbool.h>

#include "lab/net/servo/steered.h"

/** By how much the rate follows an offset, and by how much each measurement of it adds to the integral; both in 1/s. */
struct ordo_net_gains {
    double proportional, integral;
    double wait_s; /* from the first measurement to the one that gives the rate */
};

/** Those of the servo in linuxptp, for stamps of hardware and of software, as ptp4l(8) gives them: powers of the time between two
 * measurements, with walls beyond which the loop would not be stable. */
struct ordo_net_gains ordo_net_gains_of(double every_s, bool software);

/** Zeros, but for the gains, to begin with. */
struct ordo_net_pi {
    struct ordo_net_gains gains;
    bool begun, knows_rate, locked; /* the clock was set; the rate was learned; it follows */
    int64_t first_ps;
    double integral; /* a rate */
};

/** The clock was measured to be ahead by `offset_ps` when it showed `at_ps`, later than at the call before. */
void ordo_net_pi_take(struct ordo_net_pi *pi, struct ordo_net_steered *clock, int64_t at_ps, double offset_ps);

/** What is measured next is a step. With another source its rate is learned anew as well, as a difference to the one that is known. */
void ordo_net_pi_restart(struct ordo_net_pi *pi, bool other_source);

#endif
