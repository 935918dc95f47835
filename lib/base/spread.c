#include "base/spread.h"

#include <math.h>
#include <stdlib.h>

struct ordo_spread ordo_stats_spread(const double *values, size_t count)
{
    double mean = 0, squares = 0;
    for (size_t i = 0; i < count; i++)
        mean += values[i] / (double)count;
    for (size_t i = 0; i < count; i++)
        squares += (values[i] - mean) * (values[i] - mean);
    return (struct ordo_spread){mean, count > 1 ? sqrt(squares / (double)(count - 1)) : 0};
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void ordo_stats_sort(double *values, size_t count)
{
    qsort(values, count, sizeof *values, ascending);
}

double ordo_stats_percentile(const double *sorted, size_t count, double percent)
{
    size_t rank = (size_t)ceil(percent / 100 * (double)count * (1 - 1e-15)); /* 7% of 100 is not 7.000000000000001 */
    return sorted[rank == 0 ? 0 : rank - 1];
}
