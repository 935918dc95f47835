#include "cluster/sync/model.h"

#include <math.h>
#include <stdlib.h>

#include "base/plural.h"
#include "base/regression.h"

struct ordo_model ordo_model_identity(int64_t granule_ns)
{
    return (struct ordo_model){.known = 1, .granule_ns = granule_ns};
}

/* Returns the share of the growth from wander to late_wander that applies within a time of t_ns: 0 up to a minute, 1
 * from an hour on. The function `grown` is the integral of `growth` from 0 to t_ns. */
static double growth(double t_ns)
{
    const double minute = ORDO_WANDER_MINUTE_NS, hour = ORDO_WANDER_HOUR_NS;
    return (fmin(fmax(t_ns, minute), hour) - minute) / (hour - minute);
}

static double grown(double t_ns)
{
    const double minute = ORDO_WANDER_MINUTE_NS, hour = ORDO_WANDER_HOUR_NS;
    double part = fmin(fmax(t_ns, minute), hour) - minute;
    return part * part / (hour - minute) / 2 + fmax(t_ns - hour, 0);
}

/* Returns the change of an offset in `age_ns`, rounded outwards.
 *
 * [W1] The drift at an instant differs by at most w(T) from an average over an observed period, if a time T contains
 *      both, because an instant is the shortest possible period. At a distance of |age| from ref, T <= span + |age|.
 * [W2] So the change is within age times the drift, plus or minus the integral of w from span to span + |age|. */
static struct ordo_interval change_within(const struct ordo_model *model, int64_t age_ns)
{
    double age = (double)age_ns, length = fabs(age), span = (double)model->span_ns;
    double wandered =
        model->wander * length + (model->late_wander - model->wander) * (grown(span + length) - grown(span));
    double one = model->drift_min * age, other = model->drift_max * age;
    const double most = 2e18; /* 63 years: no sum with an offset overflows */
    return (struct ordo_interval){(int64_t)floor(fmax(fmin(one, other) - wandered, -most)),
                                  (int64_t)ceil(fmin(fmax(one, other) + wandered, most))};
}

/* Returns w(span). */
static double wander_of(const struct ordo_model *model)
{
    return model->wander + (model->late_wander - model->wander) * growth((double)model->span_ns);
}

struct ordo_rates ordo_model_drift(const struct ordo_model *model)
{
    double wander = wander_of(model);
    return (struct ordo_rates){model->drift_min - wander, model->drift_max + wander};
}

struct ordo_interval ordo_model_offset_at(const struct ordo_model *model, int64_t local_ns)
{
    if (!model->known)
        return (struct ordo_interval){INT64_MIN / 2, INT64_MAX / 2};
    struct ordo_interval moved = change_within(model, local_ns - model->ref_ns);
    return (struct ordo_interval){model->low_ns + moved.low, model->high_ns + moved.high};
}

static int64_t estimate_at(const struct ordo_model *model, int64_t local_ns)
{
    return model->offset_ns + llrint(model->slope * (double)(local_ns - model->ref_ns));
}

struct ordo_global_time ordo_model_time(const struct ordo_model *model, int64_t local_ns)
{
    if (!model->known)
        return (struct ordo_global_time){INT64_MIN, local_ns, INT64_MAX};
    struct ordo_interval offset = ordo_model_offset_at(model, local_ns);
    return (struct ordo_global_time){local_ns - offset.high, local_ns - estimate_at(model, local_ns),
                                     local_ns - offset.low + model->granule_ns};
}

/* Fits a line through the estimates of the points. Sets offset_ns, the slope, and the slope's 95% interval. */
static int fit_line(struct ordo_model *model, const struct ordo_fit_point *points, int count,
                    const struct ordo_fit_options *options, struct ordo_error *error)
{
    size_t fitted = (size_t)count - options->recompute_intercept;
    int64_t base_ns = points[0].offset.offset_ns;
    double *x = malloc(2 * fitted * sizeof *x);
    if (!x)
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "%d fit point%s: out of memory", count, ordo_plural(count));
    double *y = x + fitted;
    for (size_t i = 0; i < fitted; i++) {
        x[i] = (double)(points[i].offset.at_ns - model->ref_ns);
        y[i] = (double)(points[i].offset.offset_ns - base_ns);
    }
    struct ordo_line line = ordo_stats_line(x, y, fitted);
    free(x);
    bool significant = line.slope_low > 0 || line.slope_high < 0;
    model->slope = significant ? line.slope : 0;
    model->slope_low = line.slope_low;
    model->slope_high = line.slope_high;
    model->offset_ns = options->recompute_intercept ? points[count - 1].offset.offset_ns
                                                    : base_ns + llrint(significant ? line.at_zero : line.mean_y);
    return ORDO_OK;
}

void ordo_model_declare(struct ordo_model *model, double max_wander_ppb, double late_wander_ppb, double max_skew_ppb)
{
    /* The drift between clocks of rates 1 + a and 1 + b is 1 - (1 + b) / (1 + a). `two_clocks` is the sum of the
     * absolute derivatives of the drift with respect to a and to b, each at the worst rates. The sum is divided by
     * `slowest`, because the minute and the hour are measured by a clock that may be slow: the true time may be longer
     * by the factor 1 / slowest, and the wander larger by this factor. */
    double slowest = 1 - max_skew_ppb * 1e-9, fastest = 1 + max_skew_ppb * 1e-9;
    double two_clocks = (1 / slowest + fastest / (slowest * slowest)) / slowest * 1e-9;
    model->wander = max_wander_ppb * two_clocks;
    model->late_wander = fmax(max_wander_ppb, late_wander_ppb) * two_clocks;
}

/* Returns the time from the earliest to the latest of these instants: all instants of the visits, and ref. */
static int64_t span_of_visits(const struct ordo_visit *visits, int count, int64_t ref_ns)
{
    int64_t first_ns = ref_ns, last_ns = ref_ns;
    for (int i = 0; i < 2 * count; i++) {
        int64_t at_ns = (int64_t)(i % 2 ? visits[i / 2].at_ab : visits[i / 2].at_ba);
        first_ns = at_ns < first_ns ? at_ns : first_ns;
        last_ns = at_ns > last_ns ? at_ns : last_ns;
    }
    return last_ns - first_ns;
}

/* Sets the certain bounds of the drift. ORDO_E_MEASURE: no drift fits the visits and the declared wander. */
static int prove_drift(struct ordo_model *model, const struct ordo_visit *visits, int count,
                       const struct ordo_fit_options *options, struct ordo_error *error)
{
    struct ordo_drift drift = ordo_offset_drift(visits, count, options->granule_ns);
    /* Clocks of rates 1 + a and 1 + b drift by (a - b) / (1 + a). At the worst rates, this is limit_ppb. */
    double limit_ppb = 2 * options->max_skew_ppb / (1 - options->max_skew_ppb * 1e-9);
    double least_ppb = fmax(drift.min_ppb, -limit_ppb), most_ppb = fmin(drift.max_ppb, limit_ppb);
    ordo_model_declare(model, options->max_wander_ppb, options->late_wander_ppb, options->max_skew_ppb);
    model->span_ns = span_of_visits(visits, count, model->ref_ns);
    if (least_ppb - most_ppb > wander_of(model) * 1e9)
        return ordo_error_set(error, ORDO_E_MEASURE, 0,
                              "%sa clock stepped, or wanders by more than %g ppb: drift above %g and below %g ppb",
                              ordo_model_late(options->granule_ns), options->max_wander_ppb, least_ppb, most_ppb);
    model->drift_min = least_ppb * 1e-9;
    model->drift_max = most_ppb * 1e-9;
    return ORDO_OK;
}

/* Carries the two bounds of a visit to ref_ns, and narrows the certain interval by them. Both bounds increase with the
 * true value of the client's clock, because a clock advances by more than its offset can change. So the upper bound is
 * computed for the largest possible value, reading + granule, and the lower bound for the smallest, the reading. */
static void cut_offset(struct ordo_model *model, const struct ordo_visit *visit, int64_t granule_ns)
{
    int64_t high_age_ns = model->ref_ns - (int64_t)visit->at_ab - granule_ns;
    int64_t low_age_ns = model->ref_ns - (int64_t)visit->at_ba;
    int64_t high_ns = visit->delta_ab + granule_ns + change_within(model, high_age_ns).high;
    int64_t low_ns = -visit->delta_ba - granule_ns + change_within(model, low_age_ns).low;
    model->high_ns = high_ns < model->high_ns ? high_ns : model->high_ns;
    model->low_ns = low_ns > model->low_ns ? low_ns : model->low_ns;
}

int ordo_model_settle(struct ordo_model *model, struct ordo_error *error)
{
    if (model->low_ns > model->high_ns) {
        model->known = 0;
        return ordo_error_set(error, ORDO_E_MEASURE, 0,
                              "%sthe clock stepped, or wanders more than declared: offset above %lld and below %lld ns",
                              ordo_model_late(model->granule_ns), (long long)model->low_ns, (long long)model->high_ns);
    }
    model->offset_ns = model->offset_ns < model->low_ns ? model->low_ns : model->offset_ns;
    model->offset_ns = model->offset_ns > model->high_ns ? model->high_ns : model->offset_ns;
    struct ordo_rates drift = ordo_model_drift(model);
    model->slope = fmin(fmax(model->slope, drift.least), drift.most);
    model->known = 1;
    return ORDO_OK;
}

int ordo_model_fit(struct ordo_model *model, const struct ordo_fit_point *points, int count,
                   const struct ordo_fit_options *options, struct ordo_error *error)
{
    *model = (struct ordo_model){.granule_ns = options->client_granule_ns,
                                 .ref_ns = points[count - 1].offset.at_ns,
                                 .low_ns = INT64_MIN,
                                 .high_ns = INT64_MAX};
    struct ordo_visit *visits = malloc((size_t)count * sizeof *visits);
    if (!visits)
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "%d fit point%s: out of memory", count, ordo_plural(count));
    for (int i = 0; i < count; i++)
        visits[i] = points[i].visit;
    int code = fit_line(model, points, count, options, error);
    if (!code)
        code = prove_drift(model, visits, count, options, error);
    for (int i = 0; i < count && !code; i++)
        cut_offset(model, &visits[i], options->granule_ns);
    free(visits);
    return code ? code : ordo_model_settle(model, error);
}

int ordo_model_confine(struct ordo_model *model, const struct ordo_fit_point *point, int64_t granule_ns,
                       struct ordo_error *error)
{
    struct ordo_interval now = ordo_model_offset_at(model, point->offset.at_ns);
    model->offset_ns = estimate_at(model, point->offset.at_ns);
    model->span_ns += llabs(point->offset.at_ns - model->ref_ns);
    model->ref_ns = point->offset.at_ns;
    model->low_ns = now.low;
    model->high_ns = now.high;
    cut_offset(model, &point->visit, granule_ns);
    return ordo_model_settle(model, error);
}

int ordo_model_adjust(struct ordo_model *model, const struct ordo_fit_point *point, int64_t granule_ns,
                      struct ordo_error *error)
{
    int code = ordo_model_confine(model, point, granule_ns, error);
    model->offset_ns = point->offset.offset_ns;
    return code ? code : ordo_model_settle(model, error);
}

/* The client read s when it asked, the middle read p when it answered, and the client read r when it had the answer.
 * The true values s', p' and r' of the clocks are at most a granule g above these readings. o(p') is the offset of the
 * middle against its reference at p'. The reference's clock never goes back, so:
 * [R1] When the client had the answer, the reference's clock was at least p' - o(p'). So client - reference <=
 *      r' - p' + o(p'). This bound is largest for p' = p, because o changes by less than p' does.
 * [R2] When the client asked, the reference's clock was at most p' - o(p'). So client - reference >= s' - p' + o(p').
 *      This bound is smallest for p' = p + g.
 * The drift between client and middle is not needed: each bound holds at the client's instant s' or r', and the
 * function cut_offset carries it to ref. */
struct ordo_fit_point ordo_model_relay(const struct ordo_model *middle, const struct ordo_fit_point *point,
                                       int64_t granule_ns)
{
    struct ordo_fit_point relayed = *point;
    int64_t for_high_ns = (int64_t)point->visit.at_ab - point->visit.delta_ab; /* p */
    int64_t for_low_ns = (int64_t)point->visit.at_ba + point->visit.delta_ba + granule_ns;
    relayed.visit.delta_ab += ordo_model_offset_at(middle, for_high_ns).high; /* [R1] */
    relayed.visit.delta_ba -= ordo_model_offset_at(middle, for_low_ns).low;   /* [R2] */
    relayed.offset.offset_ns += estimate_at(middle, point->offset.at_ns - point->offset.offset_ns);
    return relayed;
}

static double reach_of(const struct ordo_model *model)
{
    return fmax(fabs(model->drift_min), fabs(model->drift_max)) + model->late_wander;
}

/* True if the model's bounds get wider with the distance from ref. Those of the reference's model of itself do not. */
static bool ages(const struct ordo_model *model)
{
    return model->drift_min != 0 || model->drift_max != 0 || model->late_wander > 0;
}

static int64_t span_at(const struct ordo_model *model, int64_t local_ns)
{
    return ages(model) ? model->span_ns + llabs(local_ns - model->ref_ns) : 0;
}

struct ordo_model ordo_model_merge(const struct ordo_model *client, const struct ordo_model *middle)
{
    if (!client->known || !middle->known)
        return (struct ordo_model){.granule_ns = client->granule_ns};
    struct ordo_model merged = *client;
    int64_t later_ns = middle->ref_ns + client->offset_ns;
    merged.ref_ns = ages(middle) && later_ns > client->ref_ns ? later_ns : client->ref_ns;
    struct ordo_interval to_middle = ordo_model_offset_at(client, merged.ref_ns);
    struct ordo_interval first = ordo_model_offset_at(middle, merged.ref_ns - to_middle.high);
    struct ordo_interval last = ordo_model_offset_at(middle, merged.ref_ns - to_middle.low);
    merged.low_ns = to_middle.low + (first.low < last.low ? first.low : last.low);
    merged.high_ns = to_middle.high + (first.high > last.high ? first.high : last.high);
    int64_t offset_ns = estimate_at(client, merged.ref_ns);
    merged.offset_ns = offset_ns + estimate_at(middle, merged.ref_ns - offset_ns);
    merged.slope = client->slope + middle->slope * (1 - client->slope);
    /* d1 is the drift of the client, d2 that of the middle, d that of the merged model. The middle's clock runs 1 - d1
     * times as fast as the client's, so d = d1 + d2 (1 - d1). d increases with d1 and with d2. */
    merged.drift_min = client->drift_min + middle->drift_min * (1 - client->drift_min);
    merged.drift_max = client->drift_max + middle->drift_max * (1 - client->drift_max);
    /* [W3] If d1 is off by at most w1, and d2 by at most w2, then d is off by at most
     *      w1 + w2 + w1 |d2| + w2 |d1| + w1 w2 <= (w1 + w2) reach.
     *      Each span is extended to the merged ref; the longer of the two becomes the merged span. */
    double reach = 1 + fmax(reach_of(client), reach_of(middle));
    merged.wander = (client->wander + middle->wander) * reach;
    merged.late_wander = (client->late_wander + middle->late_wander) * reach;
    int64_t own_ns = span_at(client, merged.ref_ns), middle_ns = span_at(middle, merged.ref_ns - to_middle.low);
    merged.span_ns = middle_ns > own_ns ? middle_ns : own_ns;
    return merged;
}
