/* Global time of a cluster: never a number, always an interval that contains the reference rank's clock.
 *
 * It is what a synchronised clock of <ordo/mpi.h> returns. Two events anywhere in the cluster are ordered by the same
 * three-way compare as on one machine: certainly later, certainly earlier, or not known. */
#ifndef ORDO_GLOBAL_H
#define ORDO_GLOBAL_H

#include <stdint.h>

/** Nanoseconds of the reference's clock. earliest <= estimate <= latest; the true time lies in [earliest, latest] as
 * long as no clock stepped and none wandered by more than was declared for so long. A time that is not known at all is
 * [INT64_MIN, INT64_MAX], and orders nothing. */
struct ordo_global_time {
    int64_t earliest_ns, estimate_ns, latest_ns;
};

/** By how much the drift of a rank's clock against the reference's was seen to change: its average from one
 * synchronisation to the next against that of the period before (at first, of the window in which it was learnt). That
 * is of both clocks together. In parts per billion; what a site may declare is what it sees here over days. */
struct ordo_global_wander {
    int64_t within_ns;                        /* both periods; 0: only two synchronisations tell */
    double least_ppb, estimate_ppb, most_ppb; /* certain: at least, at most */
};

/** What was measured of one rank's global clock. Offsets are its time less the reference's, in ns. */
struct ordo_global_check {
    int rank;
    int refuted;                               /* not 0: what it claims is proved wrong: its clock stepped, or worse */
    int64_t offset_ns;                         /* estimate */
    int64_t measured_low_ns, measured_high_ns; /* certain: where that lies */
    int64_t claimed_low_ns, claimed_high_ns;   /* where its [earliest, latest] puts it */
};

/** How far apart in true time, in ns of the reference's clock, the first and the last of some ranks did something:
 * certainly at least, certainly at most. */
struct ordo_global_skew {
    int64_t least_ns, most_ns;
    int late; /* not 0: some did it after the agreed time, because they were told too late */
};

/** 1: a is certainly later than b; -1: certainly earlier; 0: cannot be known. */
static inline int ordo_global_compare(struct ordo_global_time a, struct ordo_global_time b)
{
    return (a.earliest_ns > b.latest_ns) - (a.latest_ns < b.earliest_ns);
}

#endif
