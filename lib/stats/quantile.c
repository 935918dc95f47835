#include "stats/quantile.h"

#include <math.h>
#include <stdlib.h>

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int compare_ints(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* The largest k for which [value k, value n-1-k] still covers the median with 95%: the chance that it lies
 * outside is twice P(Binomial(n, 1/2) <= k). */
static size_t interval_rank(size_t count)
{
    double term = pow(0.5, (double)count), tail = term;
    size_t k = 0;
    while (k + 1 < count / 2) {
        term *= (double)(count - k) / (double)(k + 1);
        if (2 * (tail + term) > 0.05)
            break;
        tail += term;
        k++;
    }
    return k;
}

struct ordo_median ordo_stats_median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare_doubles);
    size_t k = interval_rank(count);
    return (struct ordo_median){
        .median = (values[(count - 1) / 2] + values[count / 2]) / 2,
        .low = values[k],
        .high = values[count - 1 - k],
    };
}

void ordo_stats_sort_int(int64_t *values, size_t count)
{
    qsort(values, count, sizeof *values, compare_ints);
}

int64_t ordo_stats_median_int(int64_t *values, size_t count)
{
    ordo_stats_sort_int(values, count);
    return values[(count - 1) / 2];
}

int64_t ordo_stats_mode(int64_t *values, size_t count)
{
    ordo_stats_sort_int(values, count);
    int64_t mode = values[0];
    size_t longest = 0, run = 0;
    for (size_t i = 0; i < count; i++) {
        run = i > 0 && values[i] == values[i - 1] ? run + 1 : 1;
        if (run > longest) {
            longest = run;
            mode = values[i];
        }
    }
    return mode;
}
