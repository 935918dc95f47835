#include "cluster/sync/common.h"

#include <math.h>

/* Bounds on the time between a measurement of one verification and a measurement of a later verification.
 *
 * [V1] Each measurement was made between the begin and the end of its verification. So the time between them is at
 *      least second.begin - first.end, and at most second.end - first.begin.
 * [V2] These times were read from the kernel's raw clock, but drifts are per ns of the rank's own clock. The rate of
 *      each of the two clocks may differ from 1 by the skew. */
struct apart {
    double least_ns, most_ns;
};

static struct apart between(const struct ordo_verified_when *before, const struct ordo_verified_when *now,
                            double max_skew_ppb)
{
    double skew = 2 * max_skew_ppb * 1e-9;
    return (struct apart){(double)(now->begin_ns - before->end_ns) * (1 - skew),  /* [V1] [V2] */
                          (double)(now->end_ns - before->begin_ns) * (1 + skew)}; /* [V1] [V2] */
}

static struct ordo_common_mark mark_of(const struct ordo_common *common)
{
    return (struct ordo_common_mark){common->when, common->residual_ns};
}

void ordo_common_forget(struct ordo_common *common)
{
    *common = (struct ordo_common){.residual_ns = -1};
}

/* Remembers the latest verification as a mark if it began at least a minute after the newest mark. A mark must be old
 * enough to bound the drift narrowly, and young enough that the drift has wandered little since. */
static void remember_mark(struct ordo_common *common)
{
    if (common->residual_ns < 0 || !common->when.begin_ns)
        return;
    if (common->count > 0 &&
        common->when.begin_ns - common->marks[common->count - 1].when.begin_ns < ORDO_WANDER_MINUTE_NS)
        return;
    if (common->count == 2)
        common->marks[0] = common->marks[--common->count];
    common->marks[common->count++] = mark_of(common);
}

void ordo_common_take(struct ordo_common *common, struct ordo_verified_when when, int64_t residual_ns,
                      int64_t drift_ppb)
{
    if (residual_ns < 0) {
        ordo_common_forget(common);
        return;
    }
    remember_mark(common);
    common->residual_ns = residual_ns;
    common->drift_ppb = drift_ppb;
    common->when = when;
}

/* A bound on the drift of any two ranks, in ppb, and the begin of the period in which the drift was observed. */
struct drift {
    double most_ppb;
    int64_t since_ns;
};

/* Bounds the drift of any two ranks between a mark and the latest verification.
 *
 * [V3] At some time in each of the two verifications, |offset| of the two ranks was at most the residual, on all CPUs
 *      that these ranks may run on. So between these times the offset changed by at most the sum of both residuals. The
 *      change divided by the time is the average drift. */
static struct drift since(const struct ordo_common *common, const struct ordo_common_mark *mark, double max_skew_ppb)
{
    struct apart apart = between(&mark->when, &common->when, max_skew_ppb);
    double changed_ns = (double)mark->residual_ns + (double)common->residual_ns; /* [V3] */
    double most_ppb = apart.least_ns > 0 ? 1e9 * changed_ns / apart.least_ns : INFINITY;
    return (struct drift){most_ppb, mark->when.begin_ns};
}

/* Returns the bound on the error of a copied model a minute from now. Most copies are used within a minute.
 *
 * [V4] The observation of the drift began at the mark, so rates may have wandered since the mark. */
static int64_t off_in_a_minute(struct drift drift, int64_t raw_ns, const struct ordo_sync_options *options)
{
    struct ordo_model copy = {.known = 1,
                              .ref_ns = raw_ns,
                              .drift_min = -drift.most_ppb * 1e-9,
                              .drift_max = drift.most_ppb * 1e-9,
                              .span_ns = raw_ns - drift.since_ns}; /* [V4] */
    ordo_model_declare(&copy, options->max_wander_ppb, options->late_wander_ppb, options->max_skew_ppb);
    return ordo_model_offset_at(&copy, raw_ns + ORDO_WANDER_MINUTE_NS).high;
}

static struct drift narrowest(const struct ordo_common *common, int64_t raw_ns, const struct ordo_sync_options *options)
{
    struct drift best = {(double)common->drift_ppb, common->when.begin_ns};
    for (int i = 0; i < common->count; i++) {
        struct drift longer = since(common, &common->marks[i], options->max_skew_ppb);
        if (off_in_a_minute(longer, raw_ns, options) < off_in_a_minute(best, raw_ns, options))
            best = longer;
    }
    return best;
}

void ordo_common_tell(const struct ordo_common *common, int64_t now_ns, int64_t raw_ns,
                      struct ordo_sync_options *options)
{
    bool declared = common->residual_ns < 0 || !common->when.begin_ns;
    struct drift drift =
        declared ? (struct drift){(double)common->drift_ppb, raw_ns} : narrowest(common, raw_ns, options);
    options->common_residual_ns = common->residual_ns;
    options->common_drift_ppb = drift.most_ppb;
    options->common_at_ns = now_ns - (declared ? 0 : raw_ns - common->when.begin_ns);
    options->common_since_ns = now_ns - (raw_ns - drift.since_ns);
}

/* Bounds the average drift between two verifications.
 *
 * [V5] At some time in the first verification, offset <= high0; at some time in the second, offset >= low1. So the
 *      offset changed by at least c = low1 - high0. The drift is at least c / t, where t is the least time that [V1]
 *      allows if c < 0, and the most time otherwise. The upper bound is found in the same way. */
static struct ordo_rates average_drift(const struct ordo_found *before, const struct ordo_found *now,
                                       struct apart apart)
{
    double least_ns = now->low_ns - before->high_ns, most_ns = now->high_ns - before->low_ns;
    return (struct ordo_rates){least_ns / (least_ns < 0 ? apart.least_ns : apart.most_ns),
                               most_ns / (most_ns < 0 ? apart.most_ns : apart.least_ns)};
}

/* True if two averages of the drift contradict each other. Their periods are both within a time of `span_ns`.
 *
 * [V6] The averages differ by at most the declared wander of the two clocks within span_ns. */
static bool contradict(const struct ordo_rates *one, const struct ordo_drift *other, int64_t span_ns,
                       const struct ordo_sync_options *options)
{
    double limit_ppb = 2 * options->max_skew_ppb / (1 - options->max_skew_ppb * 1e-9);
    struct ordo_model seen = {.drift_min = fmax(other->min_ppb, -limit_ppb) * 1e-9,
                              .drift_max = fmin(other->max_ppb, limit_ppb) * 1e-9,
                              .span_ns = span_ns};
    ordo_model_declare(&seen, options->max_wander_ppb, options->late_wander_ppb, options->max_skew_ppb);
    struct ordo_rates may = ordo_model_drift(&seen); /* [V6] */
    return one->least > may.most || one->most < may.least;
}

/* True if no constant drift fits a verification, because a clock bent in it. Such a verification does not bound the
 * drift between two verifications. */
static bool bends(const struct ordo_found *found)
{
    return !(found->drift.min_ppb <= found->drift.max_ppb);
}

int ordo_common_agree(const struct ordo_found *before, const struct ordo_found *now,
                      const struct ordo_sync_options *options, struct ordo_error *error)
{
    struct apart apart = between(&before->when, &now->when, options->max_skew_ppb);
    int64_t span_ns = now->when.end_ns - before->when.begin_ns;
    if (bends(before) || bends(now) || !(apart.least_ns > 0))
        return ORDO_OK;
    struct ordo_rates found = average_drift(before, now, apart); /* [V5] */
    if (!contradict(&found, &before->drift, span_ns, options) && !contradict(&found, &now->drift, span_ns, options))
        return ORDO_OK;
    return ordo_error_set(error, ORDO_E_MEASURE, 0,
                          "its clock or its node's lowest rank's stepped since the last verification, or wanders more "
                          "than declared: the offset is %.0f to %.0f ns, and was %.0f to %.0f ns",
                          now->low_ns, now->high_ns, before->low_ns, before->high_ns);
}
