/* Global time of a cluster: never a number, always an interval that contains the reference rank's clock.
 *
 * A synchronised clock of <ordo/mpi.h> returns such intervals. Two events anywhere in the cluster are ordered by the
 * same three-way compare as on one machine: certainly later, certainly earlier, or not known. */
#ifndef ORDO_GLOBAL_H
#define ORDO_GLOBAL_H

#include <stdint.h>

/** Nanoseconds of the reference's clock. earliest <= estimate <= latest. The true time is in [earliest, latest] if no
 * clock stepped and none wandered by more than was declared for that span. A time that is not known at all is
 * [INT64_MIN, INT64_MAX], and orders nothing. */
struct ordo_global_time {
    int64_t earliest_ns, estimate_ns, latest_ns;
};

/** The observed change of the drift of a rank's clock against the reference's, in parts per billion: its average from
 * one synchronisation to the next, compared with its average in the period before (at first, in the window in which it
 * was learnt). Both clocks contribute to it. A site may declare the wander that it observes here over days. */
struct ordo_global_wander {
    int64_t within_ns; /* both periods together; 0: not known before the second synchronisation */
    double least_ppb, estimate_ppb, most_ppb; /* certain: at least, at most */
};

/** The measurements of one rank's global clock. Offsets are its time less the reference's, in ns. */
struct ordo_global_check {
    int rank;
    int refuted;       /* not 0: the rank's claim is proved wrong: its clock stepped, or worse */
    int64_t offset_ns; /* estimate */
    int64_t measured_low_ns, measured_high_ns; /* certain: the interval of the offset */
    int64_t claimed_low_ns, claimed_high_ns;   /* the interval of the offset by its own [earliest, latest] */
};

/** The distance in true time, in ns of the reference's clock, between the first and the last of some ranks at a common
 * action: certainly at least, certainly at most. */
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
