/* The middle of the certain bounds, or a likelier offset within them: a smooth curve through these values at the knots
 * that never leaves the band.
 *
 * [I1] The middle of an interval is off by at most half of its width, and no other point has a smaller such bound.
 * [I2] Between the knots the estimate is the smoothest curve: the cubic spline with two continuous derivatives (with de
 *      Boor's not-a-knot ends, A Practical Guide to Splines, 1978, chapter IV), because an oscillator's rate follows
 *      its temperature, which does not jump.
 * [I3] Consider a cubic in a piece of length D. Let m0 and m1 be its slopes at the two ends, less the slope of the
 *      chord. At a distance s from the first end, the cubic is off the chord by s (D - s) / D times (m0 (D - s) - m1 s)
 *      / D, which is at most max(|m0|, |m1|) s (D - s) / D. The band extends by W s (D - s) / D to either side of the
 *      chord of the middles ([B3] of sync/band.c). If |m0| and |m1| are cut to W, the estimate is therefore in the
 *      band. The line between any two values within the bounds of the knots is between the two lines of [B3], so the
 *      argument holds for other values than the middles too.
 * [I4] A likely offset replaces the middle of a knot if half of the interval is wider than the spread of the samples. It
 *      is moved into the bounds. It is also moved so that from knot to knot it changes by no more than the certain rates
 *      allow. By [B5] this is possible: if x is in [L(i), H(i)], then x + most D >= L(i) + most D >= L(i+1), and x +
 *      least D <= H(i+1), so [x + least D, x + most D] meets [L(i+1), H(i+1)]. */
#include <stdlib.h>

#include "trace/method/method.h"
#include "trace/sync/likely.h"

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

/* The values at the knots, relative to the base of each knot. */
struct heights {
    const struct ordo_band *band;
    const double *values;
};

static double chord(const struct heights *of, int i)
{
    const struct ordo_knot *a = &of->band->knots[i], *b = a + 1;
    return ((double)(b->base_ns - a->base_ns) + of->values[i + 1] - of->values[i]) / over(of->band, i);
}

/* [I4] Returns the likely offset at a knot; the middle if there is none that is better. */
static double likely_of(const struct ordo_method_input *input, const struct ordo_knot *knot)
{
    double middle = middle_of(knot);
    if (input->likely_count == 0)
        return middle;
    struct ordo_guess guess = ordo_likely_at(input->likely, input->likely_count, knot->at_ns, knot->base_ns);
    return (knot->high_ns - knot->low_ns) / 2 > guess.spread_ns ? guess.offset_ns : middle;
}

/* [I4] Sets the values at the knots. */
static void set_values(const struct ordo_method_input *input, double *values)
{
    const struct ordo_band *band = input->band;
    for (int i = 0; i < band->count; i++) {
        const struct ordo_knot *knot = &band->knots[i], *before = knot - 1;
        double low = knot->low_ns, high = knot->high_ns;
        if (i > 0 && input->likely_count > 0) {
            double from = values[i - 1] - (double)(knot->base_ns - before->base_ns), apart = over(band, i - 1);
            low = fmax(low, from + before->least * apart);
            high = fmin(high, from + before->most * apart);
        }
        values[i] = fmin(fmax(likely_of(input, knot), low), high);
    }
}

/* Sets up the equations of the slopes: the second derivative is continuous at every inner knot, and the third
 * derivative at the second knot and at the last knot but one. */
static void set_up_system(const struct heights *heights, struct system *of)
{
    const struct ordo_band *band = heights->band;
    int last = band->count - 1;
    for (int i = 1; i < last; i++) {
        double before = over(band, i - 1), after = over(band, i);
        of->low[i] = after;
        of->middle[i] = 2 * (before + after);
        of->high[i] = before;
        of->right[i] = 3 * (after * chord(heights, i - 1) + before * chord(heights, i));
    }
    double a = over(band, 0), b = over(band, 1), y = over(band, last - 2), z = over(band, last - 1);
    of->middle[0] = b;
    of->high[0] = a + b;
    of->right[0] = ((a + 2 * (a + b)) * b * chord(heights, 0) + a * a * chord(heights, 1)) / (a + b);
    of->middle[last] = y;
    of->low[last] = y + z;
    of->right[last] = ((z + 2 * (y + z)) * y * chord(heights, last - 1) + z * z * chord(heights, last - 2)) / (y + z);
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
static void few(const struct heights *heights, double *slopes)
{
    const struct ordo_band *band = heights->band;
    slopes[0] = 0;
    if (band->count == 2)
        slopes[0] = slopes[1] = chord(heights, 0);
    if (band->count < 3)
        return;
    double a = over(band, 0), b = over(band, 1), bend = (chord(heights, 1) - chord(heights, 0)) / (a + b);
    slopes[0] = chord(heights, 0) - bend * a;
    slopes[1] = chord(heights, 0) + bend * a;
    slopes[2] = chord(heights, 1) + bend * b;
}

static double cut_slope(double slope, double chord, double by)
{
    return fmin(fmax(slope, chord - by), chord + by);
}

/* [I3] Cuts the slopes. No slope exceeds the largest rate either, so that global time does not run backwards. */
static void confine(const struct heights *heights, const double *slopes, struct ordo_curve *curve)
{
    const struct ordo_band *band = heights->band;
    const double *values = heights->values;
    for (int i = 0; i + 1 < band->count; i++) {
        const struct ordo_knot *a = &band->knots[i], *b = a + 1;
        double straight = chord(heights, i), most = ordo_band_limit(&band->declared) - fabs(straight);
        double w = fmax(fmin(ordo_band_wander(band, i), most), 0);
        ordo_method_cubic(&curve->pieces[i + 1], values[i], values[i + 1] + (double)(b->base_ns - a->base_ns),
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
    struct heights heights = {band, values};
    set_values(input, values);
    if (band->count < 4) {
        few(&heights, system.right);
    } else {
        set_up_system(&heights, &system);
        solve_system(&system, band->count);
    }
    ordo_method_join(band, values, system.right, curve);
    confine(&heights, system.right, curve);
    free(room);
    return ORDO_OK;
}

const struct ordo_method ordo_method_interval = {
    .name = "interval",
    .title = "the middle of what is certain, with a bound that is proved for every event",
    .fit = fit_interval,
};
