#include "calibrate/bound/boundary.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "calibrate/bound/conclude.h"

struct work {
    struct ordo_calibration *result;
    const struct ordo_visit *visits;
    int sweeps;
    struct ordo_visit *pair; /* buffer for all visits of one pair */
};

static const struct ordo_visit *gather_visits(const struct work *work, int a, int b)
{
    int count = work->result->count;
    for (int k = 0; k < work->sweeps; k++)
        work->pair[k] = work->visits[((size_t)k * (size_t)count + (size_t)a) * (size_t)count + (size_t)b];
    return work->pair;
}

static struct ordo_drift pair_drift(const struct work *work, int a, int b)
{
    return ordo_offset_drift(gather_visits(work, a, b), work->sweeps, (int64_t)work->result->step_ticks);
}

static bool drifts(struct ordo_drift drift)
{
    return drift.min_ppb > 0 || drift.max_ppb < 0;
}

/* Returns the only CPU that is a member of every drifting pair; -1 if there is no such CPU, or if there are fewer than
 * three CPUs. */
static int single_out(const struct work *work)
{
    int count = work->result->count;
    int *drifting = calloc((size_t)count, sizeof *drifting);
    int pairs = 0, culprit = -1;
    if (!drifting)
        return -1;
    for (int a = 0; a < count; a++)
        for (int b = a + 1; b < count; b++)
            if (drifts(pair_drift(work, a, b))) {
                pairs++;
                drifting[a]++;
                drifting[b]++;
            }
    for (int c = 0; c < count && count >= 3; c++)
        if (pairs > 1 && drifting[c] == pairs)
            culprit = c;
    free(drifting);
    return culprit;
}

static int check_order(const struct work *work, int a, int b, struct ordo_error *error)
{
    const struct ordo_calibration *result = work->result;
    const struct ordo_visit *visits = gather_visits(work, a, b);
    int64_t step = (int64_t)result->step_ticks;
    for (int k = 0; k < work->sweeps; k++)
        if (visits[k].delta_ab + visits[k].delta_ba < -step)
            return ordo_error_set(
                error, ORDO_E_REFUTED, 0,
                "cpu %u and cpu %u: %" PRId64 " ticks there and %" PRId64
                " back: a message arrived before it was sent: the clock is read out of order, or steps",
                result->cpus[a], result->cpus[b], visits[k].delta_ab, visits[k].delta_ba);
    struct ordo_interval common = ordo_offset_intersect(visits, work->sweeps);
    if (common.low - common.high > 2 * step)
        return ordo_error_set(error, ORDO_E_REFUTED, 0,
                              "cpu %u and cpu %u: the offset was at least %" PRId64
                              " and at another time at most %" PRId64 " ticks: a clock was moved",
                              result->cpus[a], result->cpus[b], common.low, common.high);
    return ORDO_OK;
}

static int refuse_drift(const struct work *work, int a, int b, struct ordo_drift drift, struct ordo_error *error)
{
    const unsigned *cpus = work->result->cpus;
    char singled[64] = "";
    if (drift.min_ppb > drift.max_ppb) {
        int code = check_order(work, a, b, error); /* checked first, because its message is more exact */
        return code ? code
                    : ordo_error_set(error, ORDO_E_REFUTED, 0,
                                     "cpu %u and cpu %u: no constant drift explains their offsets (at least %.1f and "
                                     "at most %.1f ppm): a clock steps",
                                     cpus[a], cpus[b], drift.min_ppb / 1e3, drift.max_ppb / 1e3);
    }
    int culprit = single_out(work);
    if (culprit >= 0)
        (void)snprintf(singled, sizeof singled, "; every drifting pair has cpu %u in it", cpus[culprit]);
    return ordo_error_set(
        error, ORDO_E_REFUTED, 0,
        "cpu %u drifts against cpu %u by %.1f ppm (between %.1f and %.1f): these clocks cannot order events%s", cpus[b],
        cpus[a], (drift.min_ppb + drift.max_ppb) / 2e3, drift.min_ppb / 1e3, drift.max_ppb / 1e3, singled);
}

static double proven(struct ordo_drift drift)
{
    return drift.min_ppb > 0 ? drift.min_ppb : drift.max_ppb < 0 ? -drift.max_ppb : 0;
}

/* Called before the other checks, because a constant drift would make them fail with a less exact reason. */
static int check_drift(const struct work *work, struct ordo_error *error)
{
    struct ordo_calibration *result = work->result;
    struct ordo_drift hull = {0, 0}, worst = {0, 0};
    int worst_a = 0, worst_b = 0;
    for (int a = 0; a < result->count; a++)
        for (int b = a + 1; b < result->count; b++) {
            struct ordo_drift drift = pair_drift(work, a, b);
            hull.min_ppb = fmin(hull.min_ppb, drift.min_ppb);
            hull.max_ppb = fmax(hull.max_ppb, drift.max_ppb);
            if (proven(drift) > proven(worst)) {
                worst = drift;
                worst_a = a;
                worst_b = b;
            }
        }
    if (drifts(worst))
        return refuse_drift(work, worst_a, worst_b, worst, error);
    result->drift_min_ppb = (int64_t)fmax(floor(hull.min_ppb), -1e18);
    result->drift_max_ppb = (int64_t)fmin(ceil(hull.max_ppb), 1e18);
    return ORDO_OK;
}

/* Computes the deltas and the offset interval of a pair from its visits. A ceiling is never below the smallest
 * delta. */
static void fill_pair(const struct work *work, int a, int b)
{
    struct ordo_calibration *result = work->result;
    const struct ordo_visit *visits = gather_visits(work, a, b);
    int64_t ab = INT64_MIN, ba = INT64_MIN;
    for (int k = 0; k < work->sweeps; k++) {
        ab = ordo_max(ab, ordo_max(visits[k].delta_ab, visits[k].ceiling_ab));
        ba = ordo_max(ba, ordo_max(visits[k].delta_ba, visits[k].ceiling_ba));
    }
    struct ordo_interval common = ordo_offset_intersect(visits, work->sweeps);
    result->delta_ticks[a * result->count + b] = ab;
    result->delta_ticks[b * result->count + a] = ba;
    result->offset_ticks[a * result->count + b] = common;
    result->offset_ticks[b * result->count + a] = (struct ordo_interval){-common.high, -common.low};
}

static int fill_matrix(const struct work *work, struct ordo_error *error)
{
    struct ordo_calibration *result = work->result;
    for (int a = 0; a < result->count; a++) {
        result->delta_ticks[a * result->count + a] = ORDO_DELTA_NONE;
        for (int b = a + 1; b < result->count; b++) {
            int code = check_order(work, a, b, error);
            if (code)
                return code;
            fill_pair(work, a, b);
        }
    }
    return ordo_boundary_conclude(result, error);
}

static bool in_range(int64_t delta)
{
    return delta >= -(INT64_C(1) << 61) && delta <= INT64_C(1) << 61;
}

/* Called before all other checks, because they compute sums: if two clocks are more than 2^61 ticks apart, their
 * difference may have wrapped around. */
static int check_range(const struct work *work, struct ordo_error *error)
{
    const struct ordo_calibration *result = work->result;
    for (int a = 0; a < result->count; a++)
        for (int b = a + 1; b < result->count; b++) {
            const struct ordo_visit *visits = gather_visits(work, a, b);
            for (int k = 0; k < work->sweeps; k++)
                if (!in_range(visits[k].delta_ab) || !in_range(visits[k].delta_ba) || !in_range(visits[k].ceiling_ab) ||
                    !in_range(visits[k].ceiling_ba))
                    return ordo_error_set(error, ORDO_E_REFUTED, 0,
                                          "cpu %u and cpu %u: %" PRId64 " ticks there and %" PRId64
                                          " back: their clocks are more than 2^61 ticks apart",
                                          result->cpus[a], result->cpus[b], visits[k].delta_ab, visits[k].delta_ba);
        }
    return ORDO_OK;
}

int ordo_boundary_compute(struct ordo_calibration *calibration, const struct ordo_visit *visits, int sweeps,
                          struct ordo_error *error)
{
    struct work work = {calibration, visits, sweeps, calloc((size_t)sweeps, sizeof(struct ordo_visit))};
    if (!work.pair)
        return ordo_error_errno(error, "boundary");
    int code = check_range(&work, error);
    if (!code)
        code = check_drift(&work, error);
    if (!code)
        code = fill_matrix(&work, error);
    free(work.pair);
    return code;
}
