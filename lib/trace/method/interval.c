/* The middle of the certain bounds: a smooth curve through the middles of the knots that never leaves the band.
 *
 * [I1] The middle of an interval is off by at most half of its width, and no other point has a smaller such bound.
 * [I2] Between the knots the estimate is the smoothest curve: the cubic spline with two continuous derivatives (with de
 *      Boor's not-a-knot ends, A Practical Guide to Splines, 1978, chapter IV), because an oscillator's rate follows
 *      its temperature, which does not jump.
 * [I3] Consider a cubic in a piece of length D. Let m0 and m1 be its slopes at the two ends, less the slope of the
 *      chord. At a distance s from the first end, the cubic is off the chord by s (D - s) / D times (m0 (D - s) - m1 s)
 *      / D, which is at most max(|m0|, |m1|) s (D - s) / D. The band extends by W s (D - s) / D to either side of the
 *      chord of the middles ([B3] of sync/band.c). If |m0| and |m1| are cut to W, the estimate is therefore in the
 *      band. */
#include <stdlib.h>

#include "trace/method/method.h"

struct system {
    double *low, *middle, *high, *right; /* three diagonals and the right side of a tridiagonal system */
};

static double over(const struct ordo_band *band, int i)
{
    return (double)(band->knots[i + 1].at_ns - band->knots[i].at_ns);
}

static double middle_of(const struct ordo_knot *knot)
{
    return (knot->low_ns + knot->high_ns) / 2;
}

static double chord(const struct ordo_band *band, int i)
{
    const struct ordo_knot *a = &band->knots[i], *b = a + 1;
    return ((double)(b->base_ns - a->base_ns) + middle_of(b) - middle_of(a)) / over(band, i);
}

/* Sets up the equations of the slopes: the second derivative is continuous at every inner knot, and the third
 * derivative at the second knot and at the last knot but one. */
static void set_up_system(const struct ordo_band *band, struct system *of)
{
    int last = band->count - 1;
    for (int i = 1; i < last; i++) {
        double before = over(band, i - 1), after = over(band, i);
        of->low[i] = after;
        of->middle[i] = 2 * (before + after);
        of->high[i] = before;
        of->right[i] = 3 * (after * chord(band, i - 1) + before * chord(band, i));
    }
    double a = over(band, 0), b = over(band, 1), y = over(band, last - 2), z = over(band, last - 1);
    of->middle[0] = b;
    of->high[0] = a + b;
    of->right[0] = ((a + 2 * (a + b)) * b * chord(band, 0) + a * a * chord(band, 1)) / (a + b);
    of->middle[last] = y;
    of->low[last] = y + z;
    of->right[last] = ((z + 2 * (y + z)) * y * chord(band, last - 1) + z * z * chord(band, last - 2)) / (y + z);
}

/* Solves the system by Thomas's elimination. The slopes, which are the solution, replace the right side. */
static void solve_system(struct system *of, int count)
{
    for (int i = 1; i < count; i++) {
        double times = of->low[i] / of->middle[i - 1];
        of->middle[i] -= times * of->high[i - 1];
        of->right[i] -= times * of->right[i - 1];
    }
    of->right[count - 1] /= of->middle[count - 1];
    for (int i = count - 2; i >= 0; i--)
        of->right[i] = (of->right[i] - of->high[i] * of->right[i + 1]) / of->middle[i];
}

/* Sets the slopes for 3, 2 or 1 knots: of a parabola, a line or a constant. */
static void few(const struct ordo_band *band, double *slopes)
{
    slopes[0] = 0;
    if (band->count == 2)
        slopes[0] = slopes[1] = chord(band, 0);
    if (band->count < 3)
        return;
    double a = over(band, 0), b = over(band, 1), bend = (chord(band, 1) - chord(band, 0)) / (a + b);
    slopes[0] = chord(band, 0) - bend * a;
    slopes[1] = chord(band, 0) + bend * a;
    slopes[2] = chord(band, 1) + bend * b;
}

static double cut_slope(double slope, double chord, double by)
{
    return fmin(fmax(slope, chord - by), chord + by);
}

/* [I3] Cuts the slopes. No slope exceeds the largest rate either, so that global time does not run backwards. */
static void confine(const struct ordo_band *band, const double *slopes, struct ordo_curve *curve)
{
    for (int i = 0; i + 1 < band->count; i++) {
        const struct ordo_knot *a = &band->knots[i], *b = a + 1;
        double straight = chord(band, i), most = ordo_band_limit(&band->declared) - fabs(straight);
        double w = fmax(fmin(ordo_band_wander(band, i), most), 0);
        ordo_method_cubic(&curve->pieces[i + 1], middle_of(a), middle_of(b) + (double)(b->base_ns - a->base_ns),
                          cut_slope(slopes[i], straight, w), cut_slope(slopes[i + 1], straight, w), over(band, i));
    }
}

static int fit_interval(const struct ordo_method_input *input, struct ordo_curve *curve, struct ordo_error *error)
{
    const struct ordo_band *band = input->band;
    size_t count = (size_t)band->count;
    double *room = calloc(5 * count, sizeof *room);
    if (!room)
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "%d sessions: out of memory", band->count);
    struct system system = {room, room + count, room + 2 * count, room + 3 * count};
    double *values = room + 4 * count;
    for (int i = 0; i < band->count; i++)
        values[i] = middle_of(&band->knots[i]);
    if (band->count < 4) {
        few(band, system.right);
    } else {
        set_up_system(band, &system);
        solve_system(&system, band->count);
    }
    ordo_method_join(band, values, system.right, curve);
    confine(band, system.right, curve);
    free(room);
    return ORDO_OK;
}

const struct ordo_method ordo_method_interval = {
    .name = "interval",
    .title = "the middle of what is certain, with a bound that is proved for every event",
    .fit = fit_interval,
};
