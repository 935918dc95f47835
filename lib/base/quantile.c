#include "base/quantile.h"

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

#define LEAST_LEVEL 0.95

/* Returns the largest k for which [value k, value n-1-k] contains the median with probability >= 95%. The probability
 * that the median is outside is 2 P(Binomial(n, 1/2) <= k). It is computed with logarithms, because 2^-n underflows to
 * 0 for some thousand values. */
static size_t interval_rank(size_t count, double *level)
{
    double log_term = -(double)count * log(2), tail = exp(log_term);
    size_t k = 0;
    for (; k + 1 < count / 2; k++) {
        log_term += log((double)(count - k) / (double)(k + 1));
        if (1 - 2 * (tail + exp(log_term)) < LEAST_LEVEL)
            break;
        tail += exp(log_term);
    }
    *level = 1 - 2 * tail;
    return k;
}

struct ordo_median ordo_stats_median(double *values, size_t count)
{
    struct ordo_median result;
    qsort(values, count, sizeof *values, compare_doubles);
    size_t k = interval_rank(count, &result.level);
    result.median = (values[(count - 1) / 2] + values[count / 2]) / 2;
    result.low = values[k];
    result.high = values[count - 1 - k];
    return result;
}

const char *ordo_stats_interval_name(double level)
{
    return level < LEAST_LEVEL ? "range" : "95% interval";
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
