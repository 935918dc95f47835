/* A constrained cubic spline through the sessions, each condensed into one point: its first derivative is continuous, and
 * it does not overshoot.
 *
 * C. J. C. Kruger, Constrained Cubic Spline Interpolation for Chemical Engineering Applications (2002): the slope at a
 * point is the harmonic mean of those of the two chords there, or 0 where these differ in sign; at an end it is 3/2 of the
 * chord's less half of the neighbour's. The slopes are those of the global clock over the local one, which are near 1 and
 * positive, so that global time never runs backwards; in terms of the offset's rates a and b of the chords, which are 1
 * less those, the harmonic mean is (a + b - 2 a b) / (2 - a - b): no digits cancel. */
#include <stdlib.h>

#include "trace/method/method.h"

static double chord(const struct ordo_condensed *a)
{
    const struct ordo_condensed *b = a + 1;
    return ((double)(b->base_ns - a->base_ns) + b->offset_ns - a->offset_ns) / (double)(b->at_ns - a->at_ns);
}

static double inner(double a, double b)
{
    return (1 - a) * (1 - b) <= 0 ? 1 : (a + b - 2 * a * b) / (2 - a - b);
}

static void slopes_of(const struct ordo_condensed *points, int count, double *slopes)
{
    int last = count - 1;
    if (last == 0) {
        slopes[0] = 0;
        return;
    }
    for (int i = 1; i < last; i++)
        slopes[i] = inner(chord(&points[i - 1]), chord(&points[i]));
    if (last == 1) {
        slopes[0] = slopes[1] = chord(points);
        return;
    }
    slopes[0] = 1.5 * chord(points) - slopes[1] / 2;
    slopes[last] = 1.5 * chord(&points[last - 1]) - slopes[last - 1] / 2;
}

static int fit(const struct ordo_method_input *input, struct ordo_curve *curve, struct ordo_error *error)
{
    int count = input->band->count;
    double *values = malloc(2 * (size_t)count * sizeof *values);
    if (!values)
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "%d sessions: out of memory", count);
    double *slopes = values + count;
    for (int i = 0; i < count; i++)
        values[i] = input->points[i].offset_ns;
    slopes_of(input->points, count, slopes);
    ordo_method_join(input->band, values, slopes, curve);
    free(values);
    return ORDO_OK;
}

const struct ordo_method ordo_method_spline = {
    .name = "spline",
    .title = "each session one point, and a constrained cubic spline through them",
    .fit = fit,
};
