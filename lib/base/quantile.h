/* Order statistics. */
#ifndef ORDO_BASE_QUANTILE_H
#define ORDO_BASE_QUANTILE_H

#include <stddef.h>
#include <stdint.h>

struct ordo_median {
    double median, low, high;
    double level; /* the probability that [low, high] covers the true median */
};

/** Returns the median with a distribution-free confidence interval; sorts `values` in place.
 *
 * The interval is a pair of order statistics whose binomial coverage, `level`, is at least 95%; with fewer than 6
 * values no pair reaches 95%, and the interval is the whole range: `level` is 93.75% for 5 values, 75% for 3, and 0 for
 * 1. `count` must be positive. */
struct ordo_median ordo_stats_median(double *values, size_t count);

/** Returns the name of an interval: "95% interval" if `level` is at least 95%, else "range". */
const char *ordo_stats_interval_name(double level);

/** Returns the median of integers, or the lower of the two middle values if `count` is even; sorts in place. `count`
 * must be positive. */
int64_t ordo_stats_median_int(int64_t *values, size_t count);

/** Sorts in place, ascending. */
void ordo_stats_sort_int(int64_t *values, size_t count);

/** Returns the most frequent value, or the smallest of several equally frequent values; sorts in place. `count` must be
 * positive. */
int64_t ordo_stats_mode(int64_t *values, size_t count);

#endif
