/* A constrained cubic spline through the sessions, each condensed into one point: its first derivative is continuous,
 * and it does not overshoot.
 *
 * C. J. C. Kruger, Constrained Cubic Spline Interpolation for Chemical Engineering Applications (2002): the slope at a
 * point is the harmonic mean of the slopes of its two chords, or 0 if these differ in sign. The slope at an end is 3/2
 * of the slope of its chord, less half of the slope at the neighbouring point. All slopes are those of global time over
 * local time. They are near 1 and positive, so global time never runs backwards. The code uses rates of the offset
 * instead: 1 less the slope. If a and b are the rates of the two chords, the harmonic mean of the slopes gives the rate
 * (a + b - 2 a b) / (2 - a - b), in which no digits cancel. */
#include <stdlib.h>

#include "trace/method/method.h"

static double over(const struct ordo_band *band, int i)
{
    return (double)(band->knots[i + 1].at_ns - band->knots[i].at_ns);
}

static double gained(const struct ordo_band *band, int i)
{
    return (double)(band->knots[i + 1].base_ns - band->knots[i].base_ns);
}

/* Places the points of the sessions, each moved to the nearest value that the point before it and the certain rates
 * allow. The bounds of consecutive knots always leave such a value ([B5] of sync/band.c). */
static void place_knots(const struct ordo_method_input *input, double *values)
{
    const struct ordo_band *band = input->band;
    for (int i = 0; i < band->count; i++) {
        double low = band->knots[i].low_ns, high = band->knots[i].high_ns;
        if (i > 0) {
            double from = values[i - 1] - gained(band, i - 1), long_ns = over(band, i - 1);
            low = fmax(low, from + band->knots[i - 1].least * long_ns);
            high = fmin(high, from + band->knots[i - 1].most * long_ns);
        }
        values[i] = fmin(fmax(input->points[i].offset_ns, low), high);
    }
}

static double chord(const struct ordo_band *band, const double *values, int i)
{
    return (gained(band, i) + values[i + 1] - values[i]) / over(band, i);
}

static double inner(double a, double b)
{
    return (1 - a) * (1 - b) <= 0 ? 1 : (a + b - 2 * a * b) / (2 - a - b);
}

static void slopes_of(const struct ordo_band *band, const double *values, double *slopes)
{
    int last = band->count - 1;
    slopes[0] = 0;
    if (last == 0)
        return;
    for (int i = 1; i < last; i++)
        slopes[i] = inner(chord(band, values, i - 1), chord(band, values, i));
    if (last == 1) {
        slopes[0] = slopes[1] = chord(band, values, 0);
        return;
    }
    slopes[0] = 1.5 * chord(band, values, 0) - slopes[1] / 2;
    slopes[last] = 1.5 * chord(band, values, last - 1) - slopes[last - 1] / 2;
}

static int fit_spline(const struct ordo_method_input *input, struct ordo_curve *curve, struct ordo_error *error)
{
    int count = input->band->count;
    double *values = malloc(2 * (size_t)count * sizeof *values);
    if (!values)
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "%d sessions: out of memory", count);
    double *slopes = values + count;
    place_knots(input, values);
    slopes_of(input->band, values, slopes);
    ordo_method_join(input->band, values, slopes, curve);
    free(values);
    return ORDO_OK;
}

const struct ordo_method ordo_method_spline = {
    .name = "spline",
    .title = "each session one point, and a constrained cubic spline through them",
    .fit = fit_spline,
};
