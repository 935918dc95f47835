/* How numbers are spread: mean, standard deviation, percentiles. */
#ifndef ORDO_BASE_SPREAD_H
#define ORDO_BASE_SPREAD_H

#include <stddef.h>

struct ordo_spread {
    double mean;
    double deviation; /* of the sample, with count - 1; 0 for a single value */
};

/** Computes in two passes, so that a large mean costs no digits. `count` must be positive. */
struct ordo_spread ordo_stats_spread(const double *values, size_t count);

/** Sorts in place, ascending. */
void ordo_stats_sort(double *values, size_t count);

/** Returns the least of ascending `sorted` values that at least `percent` of 100 do not exceed (the nearest rank).
 * `count` must be positive, `percent` from 0 to 100. */
double ordo_stats_percentile(const double *sorted, size_t count, double percent);

#endif
