/* How numbers are spread: mean, standard deviation, percentiles. */
#ifndef ORDO_BASE_SPREAD_H
#define ORDO_BASE_SPREAD_H

#include <stddef.h>

struct ordo_spread {
    double mean;
    double deviation; /* standard deviation with the divisor count - 1; 0 for a single value */
};

/** Computes the spread in two passes, so that a large mean costs no precision. `count` must be positive. */
struct ordo_spread ordo_stats_spread(const double *values, size_t count);

/** Sorts in place, ascending. */
void ordo_stats_sort(double *values, size_t count);

/** Returns a percentile by nearest rank: the smallest v of the ascending values `sorted` for which at least `percent`
 * percent of all values are <= v. `count` must be positive, `percent` from 0 to 100. */
double ordo_stats_percentile(const double *sorted, size_t count, double percent);

#endif
