/* The band: bounds of a clock's offset at every instant, and the argument for them.
 *
 * [B1] A session gives the offset's least upper bound U at tU, and its greatest lower bound L at tL (sync/fix.h). For
 *      two sessions, the gain of the offset from tL1 to tU2 is at most U2 - L1, so the average rate over this period
 *      is at most (U2 - L1) / (tU2 - tL1). Likewise the average rate from tU1 to tL2 is at least
 *      (L2 - U1) / (tL2 - tU1). (ordo_offset_drift, for two visits.)
 * [B2] Let W be the declared wander of two clocks over the time from the begin of the first session to the end of the
 *      second. Within this time every rate is at most the upper bound of [B1] plus W, and at least the lower bound
 *      less W; and no rate exceeds the limit, the rate between two clocks at the extremes of the declared skew. By
 *      these rates the bounds of a session are carried to one instant of it and intersected; the result is a knot.
 * [B3] Let two knots be D apart. The rates between them differ by at most W, so they are all in some [c, c + W]. Let
 *      the offset gain x in D, and compare it with the straight line between its values at the knots. At s the offset
 *      is farthest above the line if its rate is c + W up to s and c afterwards. Then x = c D + W s, and the offset is
 *      (c + W) s - x s / D = W s (D - s) / D above the line. By the same argument it is at most this far below the
 *      line. The line is between the line through the low bounds of the knots and the line through their high bounds.
 *      The band is therefore bounded by these two lines, each moved outwards by the parabola W s (D - s) / D.
 * [B4] Outside all sessions, at a distance s from the last knot, the rate is within W(D + s) of the average rate of the
 *      last piece, whose length is D. W(D + s) is at most W(D) plus one minute's wander for each minute of s, so the
 *      integral of the rate's bound is a parabola. No rate exceeds the limit of [B2] either: if the average plus W(D)
 *      reaches the limit, the bound is a straight line with the limit as its slope. The same holds before the first
 *      knot, and for two clocks that were verified for a time D.
 * [B5] The rates of [B2] carry a knot's bounds to its neighbours at a distance D: the low bound L(i) is raised to at
 *      least L(i-1) + least D and L(i+1) - most D; the high bounds are lowered likewise. One pass in each direction
 *      carries the bounds to all knots. From knot to knot, both bounds and the middle between them then change by no
 *      more than the certain rates allow.
 * [B6] Let S be the limit of [B2]. No two rates differ by more than 2 S, so W is at most 2 S. By [B5] the bounds of
 *      [B3] then have slopes of at most S + W, or 3 S, which is below 1. A clock's reading less such a bound therefore
 *      never runs backwards.
 * [B7] Readings are rounded down: at a reading, the clock itself was up to a granule g ahead of the value read, and the
 *      master's clock up to its own granule m. A low bound s - t uses the master's reading t, so the true bound is
 *      lower by up to m. Suppose the clock was ahead of its reading by a. Then a bound rises by a, and is carried at a
 *      rate r over a distance that is shorter by a; in all it rises by a (1 - r), which is not negative. For a low
 *      bound this may be left out. A high bound must be raised by up to g (1 + S), because every r is >= -S. Each gain
 *      from one bound to another must allow for both effects: for m + g (1 + S). */
#include "trace/sync/band.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/plural.h"
#include "trace/sync/step.h"

static const double minute_ns = 60e9;

struct ordo_declared ordo_declared_defaults(void)
{
    return (struct ordo_declared){.max_wander_ppb = 100, .max_skew_ppb = 500000, .granule_ns = ORDO_GRANULE_OF_DIGITS};
}

double ordo_band_limit(const struct ordo_declared *declared)
{
    return 2 * declared->max_skew_ppb * 1e-9 / (1 - declared->max_skew_ppb * 1e-9);
}

/* Returns the wander W between two clocks over a time, per ns of the slower clock, at most as [B6] says. */
static double wander(const struct ordo_declared *declared, double time_ns)
{
    double slowest = 1 - declared->max_skew_ppb * 1e-9;
    double by_time = 2 * declared->max_wander_ppb * 1e-9 / (slowest * slowest) * fmax(time_ns / minute_ns, 1);
    return fmin(by_time, 2 * ordo_band_limit(declared));
}

double ordo_declared_change(const struct ordo_declared *declared, double drift, double span_ns, double age_ns)
{
    double bend = wander(declared, 0) / minute_ns / 2; /* [B4] */
    return age_ns * fmin(drift + wander(declared, span_ns) + bend * age_ns, ordo_band_limit(declared));
}

/* [B7] Returns by how much a high bound rises at most. */
double ordo_declared_granule(const struct ordo_declared *declared)
{
    return (double)declared->granule_ns * (1 + ordo_band_limit(declared));
}

double ordo_declared_pace(const struct ordo_declared *declared)
{
    return 1 + ordo_band_limit(declared);
}

/* [B1] The least upper and the greatest lower bound of one session. */
struct visit {
    int from, end; /* its fixes are fixes->all[from] to fixes->all[end - 1] */
    int64_t first_ns, last_ns;
    const struct ordo_fix *least_high, *most_low;
};

static struct visit visit_of(const struct ordo_fixes *fixes, int from)
{
    const struct ordo_fix *all = fixes->all;
    struct visit visit = {
        from, ordo_fixes_session_end(fixes, from), all[from].sent_ns, all[from].received_ns, &all[from], &all[from]};
    for (int i = from; i < visit.end; i++) {
        if (all[i].high_ns < visit.least_high->high_ns)
            visit.least_high = &all[i];
        if (all[i].low_ns > visit.most_low->low_ns)
            visit.most_low = &all[i];
        visit.first_ns = all[i].sent_ns < visit.first_ns ? all[i].sent_ns : visit.first_ns;
        visit.first_ns = all[i].received_ns < visit.first_ns ? all[i].received_ns : visit.first_ns;
        visit.last_ns = all[i].received_ns > visit.last_ns ? all[i].received_ns : visit.last_ns;
        visit.last_ns = all[i].sent_ns > visit.last_ns ? all[i].sent_ns : visit.last_ns;
    }
    return visit;
}

static int stepped(const struct ordo_band *band, int64_t from_ns, int64_t to_ns, double by_ns, struct ordo_error *error)
{
    return ordo_error_set(
        error, ORDO_E_MEASURE, 0,
        "rank %d: its clock stepped by about %.0f ns between %" PRId64 " and %" PRId64
        " ns of its time, or wanders by more than %g ppb in a minute: cut the trace there, or declare "
        "--max-wander-ppb",
        band->rank, by_ns, from_ns, to_ns, band->declared.max_wander_ppb);
}

/* [B2] Bounds the rates from one session to the end of the next. */
static int bound_rates(struct ordo_band *band, int i, const struct visit *one, const struct visit *two,
                       struct ordo_error *error)
{
    double granule = band->declared.master_ns + ordo_declared_granule(&band->declared); /* [B7] */
    double gain_most = (double)(two->least_high->high_ns - one->most_low->low_ns) + granule;
    double gain_least = (double)(two->most_low->low_ns - one->least_high->high_ns) - granule;
    double over_most = (double)(two->least_high->received_ns - one->most_low->sent_ns);
    double over_least = (double)(two->most_low->sent_ns - one->least_high->received_ns);
    double w = wander(&band->declared, (double)(two->last_ns - one->first_ns)), most = ordo_band_limit(&band->declared);
    struct ordo_knot *knot = &band->knots[i];
    if (!(over_most > 0 && over_least > 0) || two->first_ns <= one->last_ns)
        return ordo_error_set(error, ORDO_E_MEASURE, 0,
                              "rank %d: session %" PRId64 " begins at %" PRId64
                              " ns of its clock, before session %" PRId64 " ended at %" PRId64
                              " ns: the clock was set back, or sessions are numbered in another order",
                              band->rank, knot[1].session, two->first_ns, knot->session, one->last_ns);
    if (gain_least / over_least > most || gain_most / over_most < -most)
        return stepped(band, one->last_ns, two->first_ns, (gain_least + gain_most) / 2, error);
    knot->least = fmax(gain_least / over_least - w, -most);
    knot->most = fmin(gain_most / over_most + w, most);
    return ORDO_OK;
}

/* [B2] Carries a session's fixes to one instant: makes a knot. */
static int condense(struct ordo_band *band, int i, const struct ordo_fixes *fixes, const struct visit *visit,
                    struct ordo_error *error)
{
    struct ordo_knot *knot = &band->knots[i], *before = i > 0 ? knot - 1 : knot;
    double least = fmax(knot->least, before->least), most = fmin(knot->most, before->most);
    knot->odd = least > most; /* [B2] does not hold: find_steps locates the step */
    if (knot->odd) {
        least = fmin(knot->least, before->least);
        most = fmax(knot->most, before->most);
    }
    knot->low_ns = -INFINITY;
    knot->high_ns = INFINITY;
    for (int k = visit->from; k < visit->end; k++) {
        const struct ordo_fix *fix = &fixes->all[k];
        double since_high = (double)(knot->at_ns - fix->received_ns), since_low = (double)(knot->at_ns - fix->sent_ns);
        knot->high_ns =
            fmin(knot->high_ns, (double)(fix->high_ns - knot->base_ns) + fmax(since_high * least, since_high * most));
        knot->low_ns =
            fmax(knot->low_ns, (double)(fix->low_ns - knot->base_ns) + fmin(since_low * least, since_low * most));
    }
    knot->high_ns += ordo_declared_granule(&band->declared); /* [B7] */
    knot->low_ns -= band->declared.master_ns;
    if (knot->low_ns > knot->high_ns)
        return stepped(band, visit->first_ns, visit->last_ns, knot->low_ns - knot->high_ns, error);
    return ORDO_OK;
}

/* The certain bounds of the average rate from knot i to the next. */
struct rates {
    double least, most, over_ns;
};

static struct rates average_rates(const struct ordo_band *band, int i)
{
    const struct ordo_knot *a = &band->knots[i], *b = a + 1;
    double gained = (double)(b->base_ns - a->base_ns), over = (double)(b->at_ns - a->at_ns);
    return (struct rates){(gained + b->low_ns - a->high_ns) / over, (gained + b->high_ns - a->low_ns) / over, over};
}

/* Returns by how much the average rates of pieces i and k differ beyond the wander. If the result is <= 0, one clock
 * can have both rates. */
static double excess(const struct ordo_band *band, int i, int k)
{
    struct rates a = average_rates(band, i), b = average_rates(band, k);
    double time = (double)(band->knots[k + 1].at_ns - band->knots[i].at_ns);
    return fmax(a.least - b.most, b.least - a.most) - wander(&band->declared, time);
}

/* Reports the step in piece i or i + 1, whose averages contradict each other. The neighbouring pieces show which of the
 * two has the step. */
static int find_step(const struct ordo_band *band, int i, struct ordo_error *error)
{
    bool first_is_odd =
        i + 3 < band->count && excess(band, i + 1, i + 2) <= 0 && !(i > 0 && excess(band, i - 1, i) <= 0);
    bool last_is_odd = (i > 0 && excess(band, i - 1, i) <= 0) || (i + 3 < band->count && excess(band, i, i + 2) <= 0);
    struct rates a = average_rates(band, i), b = average_rates(band, i + 1);
    double differ = (b.least + b.most) / 2 - (a.least + a.most) / 2;
    int from = last_is_odd && !first_is_odd ? i + 1 : i, to = first_is_odd && !last_is_odd ? i + 1 : i + 2;
    double by_ns = from == i ? -differ * a.over_ns : differ * b.over_ns;
    return stepped(band, band->knots[from].at_ns, band->knots[to].at_ns, by_ns, error);
}

static int find_steps(const struct ordo_band *band, struct ordo_error *error)
{
    for (int i = 0; i + 2 < band->count; i++)
        if (band->knots[i + 1].odd || excess(band, i, i + 1) > 0)
            return find_step(band, i, error);
    return ORDO_OK;
}

/* [B5] Carries the bounds of knot i to the next. */
static void carry_on(struct ordo_band *band, int i)
{
    const struct ordo_knot *a = &band->knots[i];
    struct ordo_knot *b = &band->knots[i + 1];
    double over = (double)(b->at_ns - a->at_ns), gained = (double)(b->base_ns - a->base_ns);
    b->low_ns = fmax(b->low_ns, a->low_ns + a->least * over - gained);
    b->high_ns = fmin(b->high_ns, a->high_ns + a->most * over - gained);
}

/* [B5] Carries the bounds of knot i + 1 back to knot i. */
static void carry_back(struct ordo_band *band, int i)
{
    const struct ordo_knot *b = &band->knots[i + 1];
    struct ordo_knot *a = &band->knots[i];
    double over = (double)(b->at_ns - a->at_ns), gained = (double)(b->base_ns - a->base_ns);
    a->low_ns = fmax(a->low_ns, b->low_ns - a->most * over + gained);
    a->high_ns = fmin(a->high_ns, b->high_ns - a->least * over + gained);
}

static int tighten(struct ordo_band *band, struct ordo_error *error)
{
    for (int i = 0; i + 1 < band->count; i++) {
        const struct ordo_knot *a = &band->knots[i], *b = a + 1;
        carry_on(band, i);
        if (b->low_ns > b->high_ns)
            return stepped(band, a->at_ns, b->at_ns, b->low_ns - b->high_ns, error);
    }
    for (int i = band->count - 2; i >= 0; i--)
        carry_back(band, i);
    return ORDO_OK;
}

static int make_knots(struct ordo_band *band, const struct ordo_fixes *fixes, const struct ordo_condensed *points,
                      struct visit *visits, struct ordo_error *error)
{
    int code = ORDO_OK, from = 0;
    for (int i = 0; i < band->count; i++) {
        visits[i] = visit_of(fixes, from);
        from = visits[i].end;
        band->knots[i] = (struct ordo_knot){.session = fixes->all[visits[i].from].session,
                                            .at_ns = points[i].at_ns,
                                            .base_ns = points[i].base_ns,
                                            .least = -ordo_band_limit(&band->declared),
                                            .most = ordo_band_limit(&band->declared)};
    }
    struct ordo_step step = {0};
    double limit = ordo_band_limit(&band->declared);
    double granules = ordo_declared_granule(&band->declared) + band->declared.master_ns * (1 + limit); /* [P1] */
    code = ordo_step_find(&step, fixes, limit, granules, error);
    if (step.found)
        code = stepped(band, step.from_ns, step.to_ns, step.by_ns, error);
    for (int i = 0; !code && i + 1 < band->count; i++)
        code = bound_rates(band, i, &visits[i], &visits[i + 1], error);
    if (!code && band->count > 1) { /* the last knot has the rates of the piece before it */
        band->knots[band->count - 1].least = band->knots[band->count - 2].least;
        band->knots[band->count - 1].most = band->knots[band->count - 2].most;
    }
    for (int i = 0; !code && i < band->count; i++)
        code = condense(band, i, fixes, &visits[i], error);
    if (!code)
        code = find_steps(band, error);
    return code ? code : tighten(band, error);
}

int ordo_band_make(struct ordo_band *band, const struct ordo_fixes *fixes, const struct ordo_condensed *points,
                   const struct ordo_declared *declared, struct ordo_error *error)
{
    int sessions = ordo_fixes_sessions(fixes);
    *band = (struct ordo_band){.rank = fixes->rank, .count = sessions, .declared = *declared};
    if (sessions == 0)
        return ordo_error_set(error, ORDO_E_MEASURE, 0, "rank %d: has no session: let it take part in one",
                              fixes->rank);
    band->knots = calloc((size_t)sessions, sizeof *band->knots);
    struct visit *visits = calloc((size_t)sessions, sizeof *visits);
    int code = band->knots && visits ? make_knots(band, fixes, points, visits, error)
                                     : ordo_error_set(error, ORDO_E_SYSTEM, 0, "%d session%s: out of memory", sessions,
                                                      ordo_plural(sessions));
    free(visits);
    if (code)
        ordo_band_free(band);
    return code;
}

void ordo_band_free(struct ordo_band *band)
{
    free(band->knots);
    band->knots = NULL;
}

/* [B4] Bounds a piece outside all sessions: before the first knot if `back`, otherwise after the last knot. s is 0 at
 *      the knot. */
static void outside(const struct ordo_band *band, struct ordo_piece *piece, int knot, bool back)
{
    const struct ordo_knot *at = &band->knots[knot];
    double limit = ordo_band_limit(&band->declared), least = -limit, most = limit;
    if (band->count > 1) {
        struct rates rates = average_rates(band, back ? 0 : band->count - 2);
        double step = wander(&band->declared, rates.over_ns);
        least = fmax(rates.least - step, -limit);
        most = fmin(rates.most + step, limit);
    }
    double bend = wander(&band->declared, 0) / minute_ns / 2;
    piece->from_ns = at->at_ns;
    piece->base_ns = at->base_ns;
    piece->high[0] = at->high_ns;
    piece->low[0] = at->low_ns;
    piece->high[1] = back ? least : most;
    piece->low[1] = back ? most : least;
    piece->high[2] = (back ? least > -limit : most < limit) ? bend : 0;
    piece->low[2] = (back ? most < limit : least > -limit) ? -bend : 0;
}

/* [B3] Bounds the piece from knot i to the next. */
static void between(const struct ordo_band *band, struct ordo_piece *piece, int i)
{
    const struct ordo_knot *a = &band->knots[i], *b = a + 1;
    double over = (double)(b->at_ns - a->at_ns), gained = (double)(b->base_ns - a->base_ns);
    double w = wander(&band->declared, over);
    piece->from_ns = a->at_ns;
    piece->base_ns = a->base_ns;
    piece->high[0] = a->high_ns;
    piece->high[1] = (gained + b->high_ns - a->high_ns) / over + w;
    piece->high[2] = -w / over;
    piece->low[0] = a->low_ns;
    piece->low[1] = (gained + b->low_ns - a->low_ns) / over - w;
    piece->low[2] = w / over;
}

double ordo_band_wander(const struct ordo_band *band, int i)
{
    return wander(&band->declared, (double)(band->knots[i + 1].at_ns - band->knots[i].at_ns));
}

double ordo_band_rate_range(const struct ordo_band *band)
{
    double range = 0;
    for (int i = 0; i < band->count; i++) {
        double certain = band->knots[i].most - band->knots[i].least;
        range = fmax(range, certain + (i + 1 < band->count ? ordo_band_wander(band, i) : 0));
    }
    return range;
}

int ordo_band_curve(const struct ordo_band *band, struct ordo_curve *curve, struct ordo_error *error)
{
    int code = ordo_curve_create(curve, band->count + 1, error);
    if (code)
        return code;
    curve->granule_ns = band->declared.granule_ns;
    outside(band, &curve->pieces[0], 0, true);
    for (int i = 0; i + 1 < band->count; i++)
        between(band, &curve->pieces[i + 1], i);
    outside(band, &curve->pieces[band->count], band->count - 1, false);
    return ORDO_OK;
}
