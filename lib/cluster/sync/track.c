#include "cluster/sync/track.h"

#include <math.h>
#include <stdlib.h>

void ordo_offset_track_declare(struct ordo_offset_track *track, double max_wander_ppb, double late_wander_ppb,
                               double max_skew_ppb)
{
    if (max_wander_ppb > track->max_wander_ppb || max_skew_ppb > track->max_skew_ppb ||
        fmax(max_wander_ppb, late_wander_ppb) > fmax(track->max_wander_ppb, track->late_wander_ppb))
        *track = (struct ordo_offset_track){0};
    track->max_wander_ppb = max_wander_ppb;
    track->late_wander_ppb = late_wander_ppb;
    track->max_skew_ppb = max_skew_ppb;
}

bool ordo_offset_track_is_declared(const struct ordo_offset_track *track)
{
    return track->max_skew_ppb > 0;
}

static struct ordo_mark mark_of(const struct ordo_model *model)
{
    return (struct ordo_mark){model->ref_ns, model->offset_ns, model->low_ns, model->high_ns};
}

/* Returns bounds on the average drift from a mark to ref.
 *
 * [T1] The offset was in [low0, high0] at the mark, and is in [low1, high1] at ref. So its change between the two
 *      instants is at least low1 - high0 and at most high1 - low0. */
static struct ordo_rates average_since_mark(const struct ordo_mark *from, const struct ordo_model *to)
{
    double time_ns = (double)(to->ref_ns - from->at_ns);
    return (struct ordo_rates){(double)(to->low_ns - from->high_ns) / time_ns,
                               (double)(to->high_ns - from->low_ns) / time_ns};
}

/* Returns the model with the average drift since a mark as its drift.
 *
 * [T2] The offset is between two clocks, the local clock and rank 0's, however many links it was learnt over. So the
 *      wander is that of two clocks.
 * [T3] The observed period begins at the mark and ends at ref: the span is ref - mark. */
static struct ordo_model since(const struct ordo_offset_track *track, const struct ordo_mark *mark,
                               const struct ordo_model *model)
{
    struct ordo_model longer = *model;
    struct ordo_rates rates = average_since_mark(mark, model);
    longer.drift_min = rates.least;
    longer.drift_max = rates.most;
    ordo_model_declare(&longer, track->max_wander_ppb, track->late_wander_ppb, track->max_skew_ppb); /* [T2] */
    longer.span_ns = model->ref_ns - mark->at_ns;                                                    /* [T3] */
    return longer;
}

/* Returns the model with the drift of the last model as its drift.
 *
 * [T6] The bounds of the last model on its observed period still hold. The period is farther from the new ref, so the
 *      span grows by the distance of the two refs. The wander that was declared for the last model is at least the
 *      wander declared now (ordo_offset_track_declare). */
static struct ordo_model as_before(const struct ordo_model *last, const struct ordo_model *model)
{
    struct ordo_model longer = *model;
    longer.drift_min = last->drift_min;
    longer.drift_max = last->drift_max;
    longer.wander = last->wander; /* the sum over all clocks that the drift was learnt from */
    longer.late_wander = last->late_wander;
    longer.span_ns = last->span_ns + llabs(model->ref_ns - last->ref_ns);
    return longer;
}

static int64_t width_in_a_minute(const struct ordo_model *model)
{
    struct ordo_interval then = ordo_model_offset_at(model, model->ref_ns + ORDO_WANDER_MINUTE_NS);
    return then.high - then.low;
}

/* Intersects the interval that the last model claims for ref with the measured interval.
 *
 * [T4] Both intervals contain the offset, so their intersection contains the offset. */
static int agree_model(const struct ordo_model *last, struct ordo_model *model, struct ordo_error *error)
{
    struct ordo_interval claimed = ordo_model_offset_at(last, model->ref_ns);
    if (claimed.low > model->high_ns || claimed.high < model->low_ns)
        return ordo_error_set(error, ORDO_E_MEASURE, 0,
                              "%sits clock or rank 0's stepped since the last time, or wanders more than declared: the "
                              "offset is %lld to %lld ns, and was to be %lld to %lld ns",
                              ordo_model_late(model->granule_ns), (long long)model->low_ns, (long long)model->high_ns,
                              (long long)claimed.low, (long long)claimed.high);
    model->low_ns = claimed.low > model->low_ns ? claimed.low : model->low_ns;
    model->high_ns = claimed.high < model->high_ns ? claimed.high : model->high_ns;
    return ORDO_OK;
}

/* Replaces the model by `longer`, which has a remembered drift, if the offset a minute from now is then narrower.
 *
 * [T5] The drift at ref is within the bounds of `longer` and within `own`. If these are disjoint, a clock broke its
 *      declaration. */
static int choose_longer(const struct ordo_model *longer, const char *when, struct ordo_rates own,
                         struct ordo_model *model, struct ordo_error *error)
{
    struct ordo_rates found = ordo_model_drift(longer);
    if (found.least > own.most || found.most < own.least)
        return ordo_error_set(error, ORDO_E_MEASURE, 0,
                              "%sits clock or rank 0's stepped since the last time, or wanders more than declared: the "
                              "drift %s then is %g to %g ppb, and now %g to %g ppb",
                              ordo_model_late(model->granule_ns), when, found.least * 1e9, found.most * 1e9,
                              own.least * 1e9, own.most * 1e9);
    if (width_in_a_minute(longer) < width_in_a_minute(model))
        *model = *longer;
    return ORDO_OK;
}

/* Gives the model the narrowest of three kinds of drift: its own, those since the marks, and that of the last model. */
static int narrow_drift(const struct ordo_offset_track *track, struct ordo_model *model, struct ordo_error *error)
{
    struct ordo_rates own = ordo_model_drift(model);
    int code = ORDO_OK;
    for (int i = 0; i < track->count && !code; i++)
        if (track->marks[i].at_ns < model->ref_ns) {
            struct ordo_model longer = since(track, &track->marks[i], model);
            code = choose_longer(&longer, "since", own, model, error);
        }
    if (!code && track->last.known) {
        struct ordo_model longer = as_before(&track->last, model);
        code = choose_longer(&longer, "until", own, model, error);
    }
    return code;
}

static void remember_model(struct ordo_offset_track *track, const struct ordo_model *model)
{
    track->last = *model;
    if (track->count > 0 && model->ref_ns - track->marks[track->count - 1].at_ns < ORDO_WANDER_MINUTE_NS)
        return;
    if (track->count == 2)
        track->marks[0] = track->marks[--track->count];
    track->marks[track->count++] = mark_of(model);
}

int ordo_offset_track_take(struct ordo_offset_track *track, struct ordo_model *model, struct ordo_error *error)
{
    struct ordo_model taken = *model;
    int code = track->last.known ? agree_model(&track->last, &taken, error) : ORDO_OK;
    if (!code)
        code = narrow_drift(track, &taken, error);
    if (!code)
        code = ordo_model_settle(&taken, error);
    *model = taken;
    model->known = !code;
    if (!code)
        remember_model(track, model);
    return code;
}

static double largest_of(double a, double b, double c)
{
    return fmax(a, fmax(b, c));
}

void ordo_offset_track_observe(struct ordo_offset_track *track, struct ordo_model *model)
{
    struct ordo_rates now = {model->drift_min, model->drift_max};
    double slope = model->slope;
    int64_t since_ns = model->ref_ns - model->span_ns;
    if (track->last.known && track->synchronised.at_ns < model->ref_ns) {
        const struct ordo_mark *then = &track->synchronised;
        now = average_since_mark(then, model);
        slope = (double)(model->offset_ns - then->offset_ns) / (double)(model->ref_ns - then->at_ns);
        double up = now.least - track->average.most, down = track->average.least - now.most;
        track->wander = (struct ordo_global_wander){.within_ns = model->ref_ns - track->since_ns,
                                                    .least_ppb = largest_of(0, up, down) * 1e9,
                                                    .estimate_ppb = fabs(slope - track->slope) * 1e9,
                                                    .most_ppb = largest_of(0, -up, -down) * 1e9};
        since_ns = then->at_ns;
        if (now.most - now.least < model->drift_max - model->drift_min)
            model->slope = slope;
    }
    track->average = now;
    track->slope = slope;
    track->since_ns = since_ns;
    track->synchronised = mark_of(model);
}
