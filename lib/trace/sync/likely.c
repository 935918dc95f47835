/* The samples near the time are fitted by a line: its slope is the median slope of pairs of samples that are half the
 * range apart, its height the median of the residuals (Sen, 1968). Both medians stay right if a quarter of the
 * samples are arbitrarily wrong. */
#include "trace/sync/likely.h"

#include <math.h>
#include <stdlib.h>

enum { NEAR = 48 };

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, by_value);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

/* Returns the first of `near` samples around a time. */
static int first_near(const struct ordo_likely *all, int count, int64_t at_ns, int near)
{
    int low = 0, high = count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (all[middle].at_ns < at_ns)
            low = middle + 1;
        else
            high = middle;
    }
    int first = low - near / 2;
    return first < 0 ? 0 : first > count - near ? count - near : first;
}

static double slope_of(const struct ordo_likely *samples, int count)
{
    double slopes[NEAR];
    int found = 0, apart = (count + 1) / 2;
    for (int i = 0; i + apart < count; i++) {
        double over = (double)(samples[i + apart].at_ns - samples[i].at_ns);
        if (over > 0)
            slopes[found++] = (double)(samples[i + apart].offset_ns - samples[i].offset_ns) / over;
    }
    return found > 0 ? median(slopes, found) : 0;
}

struct ordo_guess ordo_likely_at(const struct ordo_likely *all, int count, int64_t at_ns, int64_t base_ns)
{
    double values[NEAR];
    int near = count < NEAR ? count : NEAR;
    const struct ordo_likely *samples = all + first_near(all, count, at_ns, near);
    double slope = slope_of(samples, near);
    for (int i = 0; i < near; i++)
        values[i] = (double)(samples[i].offset_ns - base_ns) + slope * (double)(at_ns - samples[i].at_ns);
    struct ordo_guess guess = {.offset_ns = median(values, near)};
    for (int i = 0; i < near; i++)
        values[i] = fabs(values[i] - guess.offset_ns);
    guess.spread_ns = median(values, near);
    return guess;
}
