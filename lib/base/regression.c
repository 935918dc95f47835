#include "base/regression.h"

#include <math.h>

/* Returns the 97.5% quantile of Student's t distribution: from a table up to 3 degrees of freedom, else from its
 * expansion in 1/freedom (Abramowitz and Stegun 26.7.5). */
static double student(double freedom)
{
    if (freedom < 1.5)
        return 12.7062;
    if (freedom < 2.5)
        return 4.3027;
    if (freedom < 3.5)
        return 3.1824;
    double z = 1.959964, z2 = z * z;
    return z + z * (z2 + 1) / (4 * freedom) + z * ((5 * z2 + 16) * z2 + 3) / (96 * freedom * freedom) +
           z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / (384 * freedom * freedom * freedom);
}

struct ordo_line ordo_stats_line(const double *x, const double *y, size_t count)
{
    double n = (double)count, mean_x = 0, mean_y = 0, xx = 0, xy = 0, rest = 0;
    for (size_t i = 0; i < count; i++) {
        mean_x += x[i] / n;
        mean_y += y[i] / n;
    }
    for (size_t i = 0; i < count; i++) {
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        xy += (x[i] - mean_x) * (y[i] - mean_y);
    }
    double slope = xx > 0 ? xy / xx : 0;
    for (size_t i = 0; i < count; i++) {
        double error = y[i] - mean_y - slope * (x[i] - mean_x);
        rest += error * error;
    }
    double half = count > 2 && xx > 0 ? student(n - 2) * sqrt(rest / (n - 2) / xx) : INFINITY;
    return (struct ordo_line){mean_y - slope * mean_x, slope, slope - half, slope + half, mean_y};
}
