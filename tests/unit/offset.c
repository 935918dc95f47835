/* Intervals and drift against a known truth. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "base/visit.h"

/* Returns a visit at time `at` of clocks whose true offset is `offset`, with these latencies. */
static struct ordo_visit visit(uint64_t at, double offset, int64_t latency_ab, int64_t latency_ba)
{
    return ordo_visit_plain((int64_t)floor(offset) + latency_ab, -(int64_t)floor(offset) + latency_ba, at, at + 1000);
}

Test(offset, the_interval_contains_the_true_offset_at_any_asymmetry)
{
    struct ordo_visit one = visit(0, 500, 100, 9000);
    struct ordo_interval interval = ordo_offset_of_visit(&one);
    cr_assert_eq(interval.low, 500 - 9000);
    cr_assert_eq(interval.high, 500 + 100);
}

Test(offset, the_intervals_of_repeated_visits_intersect)
{
    struct ordo_visit visits[] = {visit(0, 0, 100, 300), visit(10, 0, 250, 80), visit(20, 0, 400, 400)};
    struct ordo_interval common = ordo_offset_intersect(visits, 3);
    cr_assert_eq(common.low, -80);
    cr_assert_eq(common.high, 100);
}

Test(offset, the_intervals_of_a_moved_clock_are_disjoint)
{
    struct ordo_visit visits[] = {visit(0, 0, 100, 100), visit(10, 1000, 100, 100)};
    struct ordo_interval common = ordo_offset_intersect(visits, 2);
    cr_assert_gt(common.low, common.high);
}

/* Returns the drift of clocks of 1 GHz that drift by `ppm`, visited every second. */
static struct ordo_drift drift_of(double ppm, int visits_count, int64_t latency)
{
    struct ordo_visit visits[8];
    for (int k = 0; k < visits_count; k++)
        visits[k] = visit((uint64_t)k * 1000000000u, k * 1e9 * ppm * 1e-6, latency + 17 * k, latency + 31 * k);
    return ordo_offset_drift(visits, visits_count, 1);
}

Test(offset, the_drift_interval_contains_the_true_drift)
{
    static const double ppms[] = {0, 0.01, -0.01, 1, -1, 50, -50, 1000};
    for (size_t i = 0; i < sizeof ppms / sizeof *ppms; i++) {
        struct ordo_drift drift = drift_of(ppms[i], 3, 200);
        cr_assert_leq(drift.min_ppb, ppms[i] * 1e3 + 0.01, "%g ppm", ppms[i]);
        cr_assert_geq(drift.max_ppb, ppms[i] * 1e3 - 0.01, "%g ppm", ppms[i]);
    }
}

Test(offset, a_drift_that_exceeds_the_latency_is_proved)
{
    cr_assert_gt(drift_of(1, 3, 200).min_ppb, 0);
    cr_assert_lt(drift_of(-1, 3, 200).max_ppb, 0);
    struct ordo_drift none = drift_of(0, 3, 200);
    cr_assert(none.min_ppb < 0 && none.max_ppb > 0);
    struct ordo_drift slow = drift_of(0.05, 3, 200);
    cr_assert(slow.min_ppb < 0, "50 ppb over 2 s are 100 ticks: within the latency, nothing is proved");
}

Test(offset, a_longer_observation_narrows_the_drift_interval)
{
    struct ordo_drift shorter = drift_of(0, 2, 200), longer = drift_of(0, 8, 200);
    cr_assert_lt(longer.max_ppb - longer.min_ppb, shorter.max_ppb - shorter.min_ppb);
}

Test(offset, one_visit_bounds_the_drift_on_one_side_only)
{
    cr_assert(isinf(drift_of(0, 1, 200).max_ppb));
}

Test(offset, a_step_fits_no_constant_drift)
{
    struct ordo_visit visits[] = {visit(0, 0, 100, 100), visit(1000000000, 0, 100, 100),
                                  visit(1000100000, 500000, 100, 100), visit(2000000000, 500000, 100, 100)};
    struct ordo_drift drift = ordo_offset_drift(visits, 4, 1);
    cr_assert_gt(drift.min_ppb, drift.max_ppb);
}

/* Returns the drift by its definition, from all pairs of visits. */
static struct ordo_drift of_all_pairs(const struct ordo_visit *visits, int count, int64_t step_ticks)
{
    struct ordo_drift drift = {-INFINITY, INFINITY};
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) {
            double apart = (double)(int64_t)(visits[i].at_ab - visits[j].at_ba);
            double ppb = (double)(visits[i].delta_ab + visits[j].delta_ba + 2 * step_ticks) / apart * 1e9;
            if (apart > 0)
                drift.max_ppb = fmin(drift.max_ppb, ppb);
            if (apart < 0)
                drift.min_ppb = fmax(drift.min_ppb, ppb);
        }
    return drift;
}

static bool is_near(double one, double other)
{
    return one == other || fabs(one - other) <= 1e-9 * fmax(1, fabs(other));
}

/* The cases have few distinct times and offsets, so that many points coincide or are collinear; clocks that drift,
 * change their rate, step and are set back; and origins far from each other. */
Test(offset, the_drift_equals_the_result_of_comparing_all_pairs)
{
    uint64_t random = 7;
    struct ordo_visit visits[40];
    for (int trial = 0; trial < 20000; trial++) {
        int count = 1 + (int)(ordo_random_next(&random) % 40), sort = (int)(ordo_random_next(&random) % 4);
        uint64_t span = (uint64_t)1 << (4 + ordo_random_next(&random) % 40), origin = ordo_random_next(&random) >> 2;
        int64_t apart = (int64_t)(ordo_random_next(&random) >> 3), noise = 1 << (1 + ordo_random_next(&random) % 20);
        for (int i = 0; i < count; i++) {
            uint64_t at = sort ? span / 40 * (uint64_t)i : ordo_random_next(&random) % span;
            int64_t offset = apart + (sort == 2 ? (int64_t)(at / 100000) : sort == 3 && i > count / 2 ? 10 * noise : 0);
            visits[i].delta_ab = offset + (int64_t)(ordo_random_next(&random) % (uint64_t)noise);
            visits[i].delta_ba = -offset + (int64_t)(ordo_random_next(&random) % (uint64_t)noise);
            visits[i].at_ab = origin + at + ordo_random_next(&random) % 8;
            visits[i].at_ba = origin + at + ordo_random_next(&random) % 8;
        }
        struct ordo_drift drift = ordo_offset_drift(visits, count, trial % 3),
                          all = of_all_pairs(visits, count, trial % 3);
        cr_assert(is_near(drift.min_ppb, all.min_ppb) && is_near(drift.max_ppb, all.max_ppb),
                  "trial %d, %d visits: [%g, %g] for [%g, %g]", trial, count, drift.min_ppb, drift.max_ppb, all.min_ppb,
                  all.max_ppb);
    }
}

/* The largest number of points of a model. An algorithm that visits all pairs would take hours. */
Test(offset, the_drift_of_a_million_visits_is_computed_quickly)
{
    enum { COUNT = 1000000 };
    struct ordo_visit *visits = calloc(COUNT, sizeof *visits);
    uint64_t random = 1;
    cr_assert(visits);
    for (uint64_t i = 0; i < COUNT; i++)
        visits[i] = visit(i * 100000, (double)i / 100, 200 + (int64_t)(ordo_random_next(&random) % 100), 250);
    struct ordo_drift drift = ordo_offset_drift(visits, COUNT, 1);
    cr_assert(drift.min_ppb <= 100 && drift.max_ppb >= 100 && drift.max_ppb - drift.min_ppb < 20, "[%g, %g]",
              drift.min_ppb, drift.max_ppb);
    free(visits);
}
