/* An oscillator and the clock that counts it: the clock that a host of the simulated network reads.
 *
 * True time is in ps since the simulation began. A clock shows
 *
 *     true + offset + integral of (skew + walk + swing) + steps so far
 *
 * The walk is a random walk of the rate between two walls; the swing is a sine, like that of a temperature. Both are
 * constant between knots. The rate therefore never leaves 1 +- (skew + walk + swing). A data sheet promises such a
 * limit, and bounds depend on it. */
#ifndef ORDO_LAB_NET_SIM_CLOCK_H
#define ORDO_LAB_NET_SIM_CLOCK_H

#include <stdint.h>

#include "base/error.h"

struct ordo_net_clock_options {
    int64_t offset_ns;       /* each clock starts within +- offset_ns */
    double skew_ppb;         /* a clock's mean rate is within 1 +- skew_ppb */
    double walk_ppb;         /* the rate walks at random within +- walk_ppb, and crosses this range in about 10 s */
    double swing_ppb;        /* the rate swings by +- swing_ppb; each clock has its own phase */
    double swing_period_s;   /* the period of the swing (if swing_ppb is not 0) */
    int64_t granule_ns;      /* stamps are rounded down to a multiple; positive */
    double noise_ns;         /* standard deviation of a stamp's error; the error is cut at 4 standard deviations */
    double outlier_chance;   /* the probability that the error of a stamp is an outlier instead */
    int64_t outlier_ns;      /* an outlier is uniform within +- outlier_ns */
    int step_host;           /* the host whose clock steps */
    int64_t step_ns;         /* the size of the step (0: none) */
    int64_t step_at_true_ns; /* the true time of the step */
};

/** Returns the options of server clocks of a data centre, coarsely set, with stamps taken by the network interface. */
struct ordo_net_clock_options ordo_net_clock_defaults(void);

/** Returns the largest |rate - 1| of a clock over all time, in ppb. ordo_net_clock_change_ppb returns the largest
 * difference of two rates of one clock, in ppb. */
double ordo_net_clock_rate_ppb(const struct ordo_net_clock_options *options);
double ordo_net_clock_change_ppb(const struct ordo_net_clock_options *options);

/** A stamp is at least the clock's reading less `late_ps`, and at most the reading plus `early_ps`. */
struct ordo_net_stamp_error {
    int64_t late_ps, early_ps;
};
struct ordo_net_stamp_error ordo_net_clock_stamp_error(const struct ordo_net_clock_options *options);

struct ordo_net_clock {
    const struct ordo_net_clock_options *options;
    int64_t offset_ps, step_ps;
    double skew;              /* a fraction, and not in ppb, like all rates here */
    double *gained_ps, *rate; /* at each knot: how much the clock has gained, and its rate until the next knot */
    int64_t knot_ps;
    int knots;
    uint64_t random; /* the random state of its stamps */
};

/** Makes the clock of a host for a simulation of `true_ps`. `options` must outlive it. ORDO_E_SYSTEM: out of memory. */
int ordo_net_clock_make(struct ordo_net_clock *clock, const struct ordo_net_clock_options *options, int host,
                        uint64_t seed, int64_t true_ps, struct ordo_error *error);
void ordo_net_clock_free(struct ordo_net_clock *clock);

/** Returns the reading of the clock at a true time. The clock never runs backwards except by a step. For judges, and
 * for stamps. */
int64_t ordo_net_clock_at(const struct ordo_net_clock *clock, int64_t true_ps);

/** Returns a stamp taken at a true time: the reading, with noise and rounding. */
int64_t ordo_net_clock_stamp(struct ordo_net_clock *clock, int64_t true_ps);

#endif
