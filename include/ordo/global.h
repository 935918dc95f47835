/* Global time of a cluster: never a number, always an interval that contains the reference rank's clock.
 *
 * A synchronised clock of <ordo/mpi.h> returns such intervals. A comparison of two events anywhere in the cluster has
 * one of three results, as on one machine: certainly later, certainly earlier, or not known. */
#ifndef ORDO_GLOBAL_H
#define ORDO_GLOBAL_H

#include <stdint.h>

/** Nanoseconds of the reference's clock. earliest <= estimate <= latest. The true time is in [earliest, latest] if no
 * clock stepped or wandered by more than was declared. A time that is not known at all is [INT64_MIN, INT64_MAX], and
 * orders nothing. */
struct ordo_global_time {
    int64_t earliest_ns, estimate_ns, latest_ns;
};

/** The observed change of the drift of a rank's clock against the reference's clock, in parts per billion: the average
 * drift from one synchronisation to the next, minus the average drift in the previous period (at first, in the window
 * in which the drift was learnt). Both clocks contribute to the change. A site may observe this wander over days, and
 * then declare it. */
struct ordo_global_wander {
    int64_t within_ns; /* length of both periods together; 0: unknown, before the second synchronisation */
    double least_ppb, estimate_ppb, most_ppb; /* the wander is certainly in [least, most] */
};

/** The measurement of one rank's global clock. An offset is the rank's time minus the reference's time, in ns. */
struct ordo_global_check {
    int rank;
    int refuted;       /* not 0: the rank's claim is proved wrong, for example because its clock stepped */
    int64_t offset_ns; /* estimate */
    int64_t measured_low_ns, measured_high_ns; /* the offset is certainly in this interval */
    int64_t claimed_low_ns, claimed_high_ns;   /* the interval of the offset that the rank itself claims */
};

/** The true time between the first and the last rank's execution of a common action, in ns of the reference's clock:
 * its certain lower and upper bounds. */
struct ordo_global_skew {
    int64_t least_ns, most_ns;
    int late; /* not 0: some ranks acted after the agreed time, because its message reached them too late */
};

/** Compares two times. 1: a is certainly later than b; -1: certainly earlier; 0: cannot be known. */
static inline int ordo_global_compare(struct ordo_global_time a, struct ordo_global_time b)
{
    return (a.earliest_ns > b.latest_ns) - (a.latest_ns < b.earliest_ns);
}

#endif
