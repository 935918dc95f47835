/* An oscillator and the clock that counts it: what a host of the simulated network reads.
 *
 * True time is in ps since the simulation began. A clock shows
 *
 *     true + offset + integral of (skew + walk + swing) + steps that are over
 *
 * where the walk is a random walk of the rate between two walls, and the swing a sine, as of a temperature. So the rate never
 * leaves 1 +- (skew + walk + swing), which is what a data sheet promises, and what bounds rest on. Both are constant between knots. */
#ifndef ORDO_LAB_NET_SIM_CLOCK_H
#define ORDO_LAB_NET_SIM_CLOCK_H

#include <stdint.h>

#include "base/error.h"

struct ordo_net_clock_options {
    int64_t offset_ns;       /* each clock starts within +- this */
    double skew_ppb;         /* its mean rate lies within 1 +- this, */
    double walk_ppb;         /* and walks at random within +- this, across it in about ten seconds; */
    double swing_ppb;        /* it swings by +- this, with a phase of its own, */
    double swing_period_s;   /* in this time (where swing_ppb is not 0) */
    int64_t granule_ns;      /* stamps are rounded down to a multiple; positive */
    double noise_ns;         /* standard deviation of a stamp's error, which is cut at 4 of them; */
    double outlier_chance;   /* with this chance it is instead */
    int64_t outlier_ns;      /* evenly within +- this */
    int step_host;           /* the clock of this host */
    int64_t step_ns;         /* jumps by this (0: never) */
    int64_t step_at_true_ns; /* at this true time */
};

/** The server clocks of a data centre, coarsely set, with stamps taken by the network interface. */
struct ordo_net_clock_options ordo_net_clock_defaults(void);

/** The largest |rate - 1| of a clock, in ppb: constant over all time; and by how much a rate can differ from itself. */
double ordo_net_clock_rate_ppb(const struct ordo_net_clock_options *options);
double ordo_net_clock_change_ppb(const struct ordo_net_clock_options *options);

/** A stamp is at least the clock's reading less `late_ps`, and at most it and `early_ps`. */
struct ordo_net_stamp_error {
    int64_t late_ps, early_ps;
};
struct ordo_net_stamp_error ordo_net_clock_stamp_error(const struct ordo_net_clock_options *options);

struct ordo_net_clock {
    const struct ordo_net_clock_options *options;
    int64_t offset_ps, step_ps;
    double skew;              /* rates are fractions: of 1 */
    double *gained_ps, *rate; /* at each knot: what the clock has gained, and its rate until the next */
    int64_t knot_ps;
    int knots;
    uint64_t random; /* of its stamps */
};

/** The clock of a host for a simulation of `true_ps`. `options` must outlive it. ORDO_E_SYSTEM: out of memory. */
int ordo_net_clock_make(struct ordo_net_clock *clock, const struct ordo_net_clock_options *options, int host,
                        uint64_t seed, int64_t true_ps, struct ordo_error *error);
void ordo_net_clock_free(struct ordo_net_clock *clock);

/** What it shows at a true time; never runs backwards but by a step. For judges, and for stamps. */
int64_t ordo_net_clock_at(const struct ordo_net_clock *clock, int64_t true_ps);

/** A stamp taken at a true time: the reading, with noise and rounding. */
int64_t ordo_net_clock_stamp(struct ordo_net_clock *clock, int64_t true_ps);

#endif
