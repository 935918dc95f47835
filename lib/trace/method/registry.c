#include <stdlib.h>
#include <string.h>

#include "trace/method/method.h"

const struct ordo_method *ordo_method_find(const char *name)
{
    const struct ordo_method *const *at = ordo_methods;
    while (*at && strcmp((*at)->name, name) != 0)
        at++;
    return *at;
}

void ordo_method_cubic(struct ordo_piece *piece, double from, double to, double slope_from, double slope_to,
                       double over_ns)
{
    double chord = (to - from) / over_ns;
    piece->estimate[0] = from;
    piece->estimate[1] = slope_from;
    piece->estimate[2] = (3 * chord - 2 * slope_from - slope_to) / over_ns;
    piece->estimate[3] = (slope_from + slope_to - 2 * chord) / over_ns / over_ns;
}

static void straight(struct ordo_piece *piece, double value, double slope)
{
    piece->estimate[0] = value;
    piece->estimate[1] = slope;
}

void ordo_method_join(const struct ordo_band *band, const double *values, const double *slopes,
                      struct ordo_curve *curve)
{
    int last = band->count - 1;
    straight(&curve->pieces[0], values[0], slopes[0]);
    for (int i = 0; i < last; i++) {
        const struct ordo_knot *a = &band->knots[i], *b = a + 1;
        double to = values[i + 1] + (double)(b->base_ns - a->base_ns);
        ordo_method_cubic(&curve->pieces[i + 1], values[i], to, slopes[i], slopes[i + 1],
                          (double)(b->at_ns - a->at_ns));
    }
    straight(&curve->pieces[last + 1], values[last], slopes[last]);
}

/* Confines the estimate after the last knot. The estimate there is a straight line that begins within the bounds and
 * never leaves them; its slope is the rate in the report. Before the first knot ordo_curve_at alone keeps the estimate
 * within the bounds. */
static void confine_end(struct ordo_piece *piece)
{
    straight(piece, fmin(fmax(piece->estimate[0], piece->low[0]), piece->high[0]),
             fmin(fmax(piece->estimate[1], piece->low[1]), piece->high[1]));
}

static int condense_all(struct ordo_correction *correction, struct ordo_fixes *fixes, struct ordo_error *error)
{
    int sessions = ordo_fixes_sessions(fixes);
    correction->points = calloc((size_t)sessions + 1, sizeof *correction->points);
    if (!correction->points)
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "rank %d: out of memory", fixes->rank);
    for (int from = 0, i = 0; i < sessions; i++) {
        int end = ordo_fixes_session_end(fixes, from);
        correction->points[i] = ordo_fixes_condense(fixes->all, from, end);
        from = end;
    }
    return ORDO_OK;
}

static double half_width(struct ordo_curve *curve, int64_t time_ns)
{
    struct ordo_event_stamp stamp = ordo_curve_at(curve, time_ns);
    return (double)(stamp.latest_ns - stamp.earliest_ns) / 2;
}

/* Returns half the width of the band at its widest between two sessions. The width is a parabola that opens downwards
 * ([B3] of sync/band.c): it is widest at its top, or at a knot if the top is not between the two knots. Returns
 * INFINITY for a single session, because it does not bound the rate. */
static double widest(const struct ordo_band *band, const struct ordo_curve *of)
{
    struct ordo_curve exact = *of, *curve = &exact;
    exact.granule_ns = 0;
    double most = band->count < 2 ? INFINITY : half_width(curve, band->knots[0].at_ns);
    for (int i = 0; i + 1 < band->count; i++) {
        const struct ordo_piece *piece = &curve->pieces[i + 1];
        double over = (double)(band->knots[i + 1].at_ns - band->knots[i].at_ns);
        double grows = piece->high[1] - piece->low[1], bends = piece->high[2] - piece->low[2];
        double top = bends < 0 ? fmin(fmax(-grows / bends / 2, 0), over) : 0;
        most = fmax(most, half_width(curve, band->knots[i].at_ns + llrint(top)));
        most = fmax(most, half_width(curve, band->knots[i + 1].at_ns));
    }
    return most;
}

/* Computes the residuals of the estimates against the kept fixes. */
static void judge_correction(struct ordo_correction *correction, const struct ordo_fixes *fixes)
{
    double sum = 0;
    int kept = 0;
    for (int from = 0, end; from < fixes->count; from = end) {
        end = ordo_fixes_session_end(fixes, from);
        for (int i = from; i < from + ordo_fixes_kept(end - from); i++, kept++) {
            const struct ordo_fix *fix = &fixes->all[i];
            int64_t middle_ns = fix->sent_ns + (fix->received_ns - fix->sent_ns) / 2;
            struct ordo_event_stamp stamp = ordo_curve_at(&correction->curve, middle_ns);
            double off =
                (double)(fix->low_ns - (middle_ns - stamp.global_ns)) + (double)(fix->high_ns - fix->low_ns) / 2;
            sum += off * off;
            correction->residual_most_ns = fmax(correction->residual_most_ns, fabs(off));
        }
    }
    correction->residual_ns = sqrt(sum / kept);
    correction->rate = correction->curve.pieces[correction->curve.count - 1].estimate[1];
    correction->bound_ns = widest(&correction->band, &correction->curve);
}

int ordo_correction_make(struct ordo_correction *correction, const struct ordo_method *method, struct ordo_fixes *fixes,
                         const struct ordo_declared *declared, struct ordo_error *error)
{
    *correction = (struct ordo_correction){0};
    ordo_fixes_sort(fixes);
    int code = condense_all(correction, fixes, error);
    if (!code)
        code = ordo_band_make(&correction->band, fixes, correction->points, declared, error);
    if (!code)
        code = ordo_band_curve(&correction->band, &correction->curve, error);
    struct ordo_method_input input = {fixes->all,        fixes->count,  correction->points,
                                      &correction->band, fixes->likely, fixes->likely_count};
    if (!code)
        code = method->fit(&input, &correction->curve, error);
    if (code) {
        ordo_correction_free(correction);
        return code;
    }
    confine_end(&correction->curve.pieces[correction->curve.count - 1]);
    judge_correction(correction, fixes);
    return ORDO_OK;
}

void ordo_correction_free(struct ordo_correction *correction)
{
    ordo_curve_free(&correction->curve);
    ordo_band_free(&correction->band);
    free(correction->points);
    correction->points = NULL;
}
