#include "cluster/verify/verdict.h"

#include <math.h>
#include <stdlib.h>

const char *ordo_verdict_name(enum ordo_verdict_kind kind)
{
    static const char *const names[] = {"VALID", "INCONCLUSIVE", "INVALID"};
    return names[kind];
}

static struct ordo_interval widened(const struct ordo_visit *visit, int64_t granule_units)
{
    struct ordo_interval offset = ordo_offset_of_visit(visit);
    return (struct ordo_interval){offset.low - granule_units, offset.high + granule_units};
}

static int64_t largest_offset(struct ordo_interval offset)
{
    return -offset.low > offset.high ? -offset.low : offset.high;
}

/* Returns the distance from 0 to the interval. Not positive if 0 is inside. */
static int64_t outside(struct ordo_interval offset)
{
    return offset.low > -offset.high ? offset.low : -offset.high;
}

struct ordo_verdict_pair ordo_verdict_of_visits(const struct ordo_visit *visits, int count, int64_t granule_units)
{
    struct ordo_verdict_pair pair = {.offset = widened(&visits[0], granule_units)};
    for (int i = 0; i < count; i++) {
        struct ordo_interval one = widened(&visits[i], granule_units);
        if (i == 0 || largest_offset(one) > pair.certified_units)
            pair.certified_units = largest_offset(one);
        pair.offset.low = one.low > pair.offset.low ? one.low : pair.offset.low;
        pair.offset.high = one.high < pair.offset.high ? one.high : pair.offset.high;
    }
    if (pair.offset.low > pair.offset.high)
        pair.offset = widened(&visits[count - 1], granule_units);
    pair.drift = ordo_offset_drift(visits, count, granule_units);
    return pair;
}

static void count_pair(struct ordo_verdict *verdict, const struct ordo_verdict_pair *pair)
{
    if (outside(pair->offset) > 0)
        verdict->reasons |= ORDO_REASON_OFFSET;
    if (pair->drift.min_ppb > pair->drift.max_ppb)
        verdict->reasons |= ORDO_REASON_BENDS;
    else if (pair->drift.min_ppb > 0 || pair->drift.max_ppb < 0)
        verdict->reasons |= ORDO_REASON_DRIFT;
    verdict->drift.min_ppb = fmin(verdict->drift.min_ppb, pair->drift.min_ppb);
    verdict->drift.max_ppb = fmax(verdict->drift.max_ppb, pair->drift.max_ppb);
    if (pair->certified_units > verdict->residual_units)
        verdict->residual_units = pair->certified_units;
    int64_t proved = outside(pair->offset), known = outside(verdict->worst.offset);
    if (pair->a == 0 &&
        (verdict->worst.b == 0 ||
         (proved > 0 || known > 0 ? proved > known : pair->certified_units > verdict->worst.certified_units)))
        verdict->worst = *pair;
}

static void count_pairs(struct ordo_verdict *verdict, const struct ordo_node_plan *plan, const void *segment, int clock,
                        struct ordo_verdict_pair *pairs)
{
    int next = 0;
    for (int a = 0; a < plan->size; a++)
        for (int b = a + 1; b < plan->size; b++) {
            struct ordo_verdict_pair pair = ordo_verdict_of_visits(ordo_node_visits(plan, segment, clock, a, b),
                                                                   plan->rounds, verdict->granule_units);
            pair.a = (unsigned)a;
            pair.b = (unsigned)b;
            count_pair(verdict, &pair);
            if (pairs)
                pairs[next++] = pair;
        }
}

/* Takes the sweep into the verdict. If the offset of two ranks is already refuted, the sweep does not blame the CPUs,
 * because the ranks may be the cause. If all visits of the sweep have one CPU in common, the offset of two other CPUs
 * is bounded by the sum of two visits. */
static void count_sweeps(struct ordo_verdict *verdict, const struct ordo_node_plan *plan, const void *segment,
                         int clock, struct ordo_verdict_pair *sweeps)
{
    int count = ordo_node_sweeps(plan), star = count == plan->sweep_count - 1 && count > 1 ? 2 : 1;
    int64_t residual = verdict->residual_units;
    for (int i = 0; i < count; i++) {
        struct ordo_node_sweep sweep = ordo_node_sweep(plan, segment, clock, i);
        struct ordo_verdict_pair pair = ordo_verdict_of_visits(&sweep.visit, 1, verdict->granule_units);
        pair.a = sweep.cpu_a;
        pair.b = sweep.cpu_b;
        if (outside(pair.offset) > 0 && !(verdict->reasons & ORDO_REASON_OFFSET))
            verdict->reasons |= ORDO_REASON_SWEEP;
        if (star * pair.certified_units > residual)
            residual = star * pair.certified_units;
        if (sweeps)
            sweeps[i] = pair;
    }
    verdict->residual_units = residual;
}

static void count_warps(struct ordo_verdict *verdict, const struct ordo_node_plan *plan, const void *segment, int clock)
{
    verdict->warp = (struct ordo_node_warp){INT64_MAX, 0, 0};
    for (int rank = 0; rank < plan->size; rank++) {
        struct ordo_node_warp warp = ordo_node_warp(plan, segment, clock, rank);
        if (warp.back_units > verdict->warp.back_units)
            verdict->warp.back_units = warp.back_units;
        if (warp.least_step_units < verdict->warp.least_step_units) {
            verdict->warp.least_step_units = warp.least_step_units;
            verdict->warp.before = warp.before;
            verdict->warp_rank = rank;
        }
    }
    if (verdict->warp.back_units > 0)
        verdict->reasons |= ORDO_REASON_BACKWARDS;
    if (verdict->warp.least_step_units < -verdict->granule_units)
        verdict->reasons |= ORDO_REASON_WARP;
}

struct ordo_verdict ordo_verdict_reach(const struct ordo_node_plan *plan, const void *segment, int clock,
                                       int64_t tolerance_units, struct ordo_verdict_pair *pairs,
                                       struct ordo_verdict_pair *sweeps)
{
    struct ordo_verdict verdict = {.granule_units = ordo_node_granule(plan, segment, clock)};
    if (plan->size > 1)
        verdict.drift = (struct ordo_drift){INFINITY, -INFINITY};
    count_pairs(&verdict, plan, segment, clock, pairs);
    count_sweeps(&verdict, plan, segment, clock, sweeps);
    count_warps(&verdict, plan, segment, clock);
    /* If a clock was set back, its readings prove nothing else. */
    if (verdict.reasons & ORDO_REASON_BACKWARDS)
        verdict.reasons = ORDO_REASON_BACKWARDS;
    if (verdict.reasons)
        verdict.kind = ORDO_INVALID;
    else if (verdict.residual_units - verdict.granule_units > tolerance_units) {
        verdict.kind = ORDO_INCONCLUSIVE;
        verdict.reasons = ORDO_REASON_WIDE;
    } else if (ordo_node_unswept(segment)) {
        verdict.kind = ORDO_INCONCLUSIVE;
        verdict.reasons = ORDO_REASON_UNSWEPT;
    }
    return verdict;
}

double ordo_drift_most_ppb(struct ordo_drift drift)
{
    return fmin(fmax(fabs(drift.min_ppb), fabs(drift.max_ppb)), 1e9);
}

bool ordo_verdict_agrees(const struct ordo_verdict_pair *pair, int64_t granule_units, int64_t tolerance_units)
{
    return outside(pair->offset) <= 0 && pair->drift.min_ppb <= 0 && pair->drift.max_ppb >= 0 &&
           pair->certified_units - granule_units <= tolerance_units;
}

struct ordo_verdict ordo_verdict_none(enum ordo_reason reason)
{
    return (struct ordo_verdict){.kind = ORDO_INCONCLUSIVE,
                                 .reasons = reason,
                                 .residual_units = INT64_MAX,
                                 .worst.offset = {INT64_MIN, INT64_MAX},
                                 .drift = {-INFINITY, INFINITY}};
}
