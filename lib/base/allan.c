#include "base/allan.h"

#include <math.h>

/* Returns the second difference of the values i, i + step and i + 2 * step: the change of the rate, times the span. */
static double bend(const double *x, size_t i, size_t step)
{
    return x[i + 2 * step] - 2 * x[i + step] + x[i];
}

double ordo_allan_deviation(const struct ordo_phase *phase, size_t step)
{
    if (step == 0 || phase->count < 2 * step + 1)
        return NAN;
    size_t terms = phase->count - 2 * step;
    double sum = 0, span_ns = (double)step * (double)phase->apart_ns;
    for (size_t i = 0; i < terms; i++)
        sum += pow(bend(phase->lead_ns, i, step), 2);
    return sqrt(sum / (2 * (double)terms)) / span_ns;
}

/* Sums the square of the moving mean of `step` successive second differences. If M is the modified Allan deviation over
 * the span t, the time deviation is t M / sqrt(3), so the span cancels. */
double ordo_time_deviation_ns(const struct ordo_phase *phase, size_t step)
{
    if (step == 0 || phase->count < 3 * step)
        return NAN;
    size_t terms = phase->count - 3 * step + 1;
    const double *x = phase->lead_ns;
    double window = 0, sum = 0;
    for (size_t i = 0; i < step; i++)
        window += bend(x, i, step);
    for (size_t i = 0; i < terms; i++) {
        sum += pow(window / (double)step, 2);
        if (i + 1 < terms)
            window += bend(x, i + step, step) - bend(x, i, step);
    }
    return sqrt(sum / (6 * (double)terms));
}

size_t ordo_phase_even(const double *at_ns, const double *lead_ns, size_t count, int64_t apart_ns, double *even_ns,
                       size_t room)
{
    size_t made = 0, left = 0;
    for (; made < room; made++) {
        double at = at_ns[0] + (double)made * (double)apart_ns;
        while (left + 1 < count && at_ns[left + 1] < at)
            left++;
        if (at > at_ns[count - 1])
            break;
        double span = left + 1 < count ? at_ns[left + 1] - at_ns[left] : 0;
        double share = span > 0 ? (at - at_ns[left]) / span : 0;
        even_ns[made] = lead_ns[left] + (share > 0 ? share * (lead_ns[left + 1] - lead_ns[left]) : 0);
    }
    return made;
}
