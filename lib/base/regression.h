/* A straight line through points. */
#ifndef ORDO_BASE_REGRESSION_H
#define ORDO_BASE_REGRESSION_H

#include <stddef.h>

struct ordo_line {
    double at_zero, slope;        /* y = at_zero + slope x */
    double slope_low, slope_high; /* 95% interval of the slope; infinite if `count` < 3 */
    double mean_y;
};

/** Fits a line by least squares on centred data. The interval of the slope is the t interval for independent errors of
 * equal variance. If there are not two different x, the slope is 0. `count` must be positive. */
struct ordo_line ordo_stats_line(const double *x, const double *y, size_t count);

#endif
