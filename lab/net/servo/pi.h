/* A proportional-integral servo: it adjusts the rate of a steered clock so that its measured offset goes to 0.
 *
 * The first measurement makes the clock step. A later measurement, after wait_s, makes the clock step again; this step,
 * divided by the time since the first measurement, gives the rate. From then on the rate is the sum of the integral and
 * the proportional part (J. C. Eidson, Measurement, Control, and Communication Using IEEE 1588, Springer 2006, chapter
 * 5). */
#ifndef ORDO_LAB_NET_SERVO_PI_H
#define ORDO_LAB_NET_SERVO_PI_H

#include <stdbool.h>

#include "lab/net/servo/steered.h"

/** `proportional`: factor from a measured offset to a part of the rate. `integral`: factor from a measured offset to
 * the change of the integral. Both are in 1/s. */
struct ordo_net_gains {
    double proportional, integral;
    double wait_s; /* time from the first measurement to the measurement that gives the rate */
};

/** Returns the gains of the servo in linuxptp, for hardware and for software stamps, as ptp4l(8) describes them: powers
 * of the time between two measurements, with limits beyond which the loop would not be stable. */
struct ordo_net_gains ordo_net_gains_of(double every_s, bool software);

/** Initialise with zeros, except for the gains. */
struct ordo_net_pi {
    struct ordo_net_gains gains;
    bool begun, knows_rate, locked; /* the clock was set; the rate is known; the servo follows */
    int64_t first_ps;
    double integral; /* the part of the rate that sums up the offsets */
};

/** Takes a measurement: the clock was ahead by `offset_ps` when it showed `at_ps`. `at_ps` must be later than in the
 * preceding call. */
void ordo_net_pi_take(struct ordo_net_pi *pi, struct ordo_net_steered *clock, int64_t at_ps, double offset_ps);

/** Lets the next measurement make the clock step. If `other_source`, the servo then also learns the rate again, as a
 * correction to the known rate. */
void ordo_net_pi_restart(struct ordo_net_pi *pi, bool other_source);

#endif
