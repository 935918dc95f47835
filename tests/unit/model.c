/* Estimators, lines and clock models against a known truth, without any messages. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/regression.h"
#include "cluster/sync/model.h"

enum { EXCHANGES = 40 };

/* Makes exchanges with a client that is `offset_ns` ahead. Messages take at least `there_ns` in one direction and
 * `back_ns` in the other. */
static void exchange(struct ordo_exchange *exchanges, int64_t start_ns, int64_t offset_ns, int64_t there_ns,
                     int64_t back_ns, uint64_t *random)
{
    for (int i = 0; i < EXCHANGES; i++) {
        int64_t answered_ns = start_ns + there_ns + (int64_t)(300 * ordo_random_unit(random));
        int64_t received_ns = answered_ns + back_ns + (int64_t)(300 * ordo_random_unit(random));
        exchanges[i] = (struct ordo_exchange){start_ns + offset_ns, answered_ns, received_ns + offset_ns};
        start_ns = received_ns + 100;
    }
}

static const int64_t offsets_ns[] = {0, 1, -1, 123456789, -123456789, INT64_C(1800000000000000000)};

Test(estimator, every_estimator_finds_the_offset_of_a_symmetric_link)
{
    uint64_t random = 1;
    struct ordo_exchange exchanges[EXCHANGES];
    for (size_t o = 0; o < sizeof offsets_ns / sizeof *offsets_ns; o++)
        for (const struct ordo_offset_estimator *const *at = ordo_offset_estimators; *at; at++) {
            exchange(exchanges, 1000, offsets_ns[o], 1000, 1000, &random);
            int64_t rtt_ns = (*at)->rtt_ns ? (*at)->rtt_ns(exchanges, EXCHANGES) : 0;
            struct ordo_offset found = (*at)->estimate(exchanges, EXCHANGES, rtt_ns);
            cr_assert_leq(llabs(found.offset_ns - offsets_ns[o]), 50, "%s: %lld for %lld", (*at)->name,
                          (long long)found.offset_ns, (long long)offsets_ns[o]);
            cr_assert(found.at_ns - offsets_ns[o] >= 1000);
        }
}

/* Every estimator is wrong by half of the asymmetry, so an estimate is no bound. */
Test(estimator, asymmetry_misleads_every_estimator_but_not_the_bounds)
{
    uint64_t random = 2;
    struct ordo_exchange exchanges[EXCHANGES];
    for (const struct ordo_offset_estimator *const *at = ordo_offset_estimators; *at; at++) {
        exchange(exchanges, 0, 5000, 9000, 1000, &random);
        struct ordo_visit visit = ordo_exchange_visit(exchanges, EXCHANGES);
        int64_t rtt_ns = (*at)->rtt_ns ? (*at)->rtt_ns(exchanges, EXCHANGES) : 0;
        cr_assert_lt(llabs((*at)->estimate(exchanges, EXCHANGES, rtt_ns).offset_ns - 5000 + 4000), 100);
        cr_assert(-visit.delta_ba <= 5000 && 5000 <= visit.delta_ab);
        cr_assert_leq(visit.delta_ab + visit.delta_ba, 10000 + 300);
    }
}

Test(estimator, each_bound_comes_from_its_fastest_message)
{
    const struct ordo_exchange exchanges[] = {{100, 160, 190}, {200, 215, 290}, {300, 340, 399}};
    struct ordo_visit visit = ordo_exchange_visit(exchanges, 3);
    cr_assert(visit.delta_ab == 30 && visit.at_ab == 190, "the answer that came back fastest, when it was received");
    cr_assert(visit.delta_ba == 15 && visit.at_ba == 200, "the question that came fastest, when it was sent");
    struct ordo_exchange same[3];
    memcpy(same, exchanges, sizeof same);
    struct ordo_offset found = ordo_offset_estimator_find("skampi")->estimate(same, 3, 0);
    cr_assert(found.offset_ns == 7 && found.at_ns == 195, "the middle of both, and between their instants");
}

Test(estimator, the_mean_round_trip_ignores_slow_and_early_exchanges)
{
    const struct ordo_offset_estimator *mean = ordo_offset_estimator_find("mean-rtt");
    struct ordo_exchange exchanges[110];
    for (int i = 0; i < 110; i++)
        exchanges[i] = (struct ordo_exchange){0, 500, i < 10 || i % 10 == 0 ? 1000000 : 1000};
    cr_assert_eq(mean->rtt_ns(exchanges, 110), 1000);
    for (int i = 0; i < 110; i++)
        exchanges[i] = (struct ordo_exchange){0, 500, i < 10 ? 1300 : 1000};
    cr_assert_eq(mean->rtt_ns(exchanges, 110), 1000,
                 "exchanges of the warm-up are left out, even if they are not slow enough to be recognised");
}

/* Runs 1000 trials. Returns the number of trials in which the 95% interval does not contain the slope. */
static int misses(int count)
{
    int outside = 0;
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        double x[12], y[12];
        uint64_t random = seed << 20;
        for (int i = 0; i < count; i++) {
            x[i] = 1e9 + i;
            y[i] = 7 + 3 * x[i];
            for (int k = 0; k < 12; k++) /* the sum of 12 uniform numbers is nearly normal */
                y[i] += ordo_random_unit(&random) - 0.5;
        }
        struct ordo_line line = ordo_stats_line(x, y, (size_t)count);
        outside += line.slope_low > 3 || line.slope_high < 3;
    }
    return outside;
}

Test(regression, the_95_percent_interval_misses_in_5_percent_of_trials)
{
    static const int counts[] = {3, 4, 5, 12};
    for (int i = 0; i < 4; i++)
        cr_assert(misses(counts[i]) > 25 && misses(counts[i]) < 75, "%d points: %d of 1000 miss", counts[i],
                  misses(counts[i]));
}

Test(regression, too_few_points_have_no_interval)
{
    struct ordo_line line = ordo_stats_line((double[]){1, 2}, (double[]){5, 9}, 2);
    cr_assert_float_eq(line.slope, 4, 1e-9);
    cr_assert_float_eq(line.at_zero, 1, 1e-9);
    cr_assert(isinf(line.slope_low) && isinf(line.slope_high));
    line = ordo_stats_line((double[]){2, 2, 2}, (double[]){1, 2, 3}, 3);
    cr_assert_float_eq(line.mean_y, 2, 1e-9);
    cr_assert_eq(line.slope, 0);
}

enum { POINTS = 20 };

static const struct ordo_fit_options plain = {.granule_ns = 1, .client_granule_ns = 1, .max_skew_ppb = 500000};

/* Measures a client of constant drift for a second. */
static void measure(struct ordo_fit_point *points, int64_t offset_ns, double ppb, int64_t step_ns, uint64_t seed)
{
    struct ordo_exchange exchanges[EXCHANGES];
    for (int k = 0; k < POINTS; k++) {
        int64_t at_ns = k * INT64_C(50000000);
        int64_t now_ns = offset_ns + llrint(ppb * 1e-9 * (double)at_ns) + (k >= POINTS / 2 ? step_ns : 0);
        exchange(exchanges, at_ns, now_ns, 1000, 1000, &seed);
        points[k].visit = ordo_exchange_visit(exchanges, EXCHANGES);
        points[k].offset = ordo_offset_estimator_find("skampi")->estimate(exchanges, EXCHANGES, 0);
    }
}

Test(model, a_fitted_interval_contains_the_true_offset_at_every_time)
{
    static const double ppbs[] = {0, 20000, -20000, 499000};
    struct ordo_fit_point points[POINTS];
    struct ordo_model model;
    for (size_t o = 0; o < sizeof offsets_ns / sizeof *offsets_ns; o++)
        for (size_t d = 0; d < sizeof ppbs / sizeof *ppbs; d++) {
            measure(points, offsets_ns[o], ppbs[d], 0, 3);
            cr_assert_eq(ordo_model_fit(&model, points, POINTS, &plain, NULL), 0);
            for (int64_t global_ns = 0; global_ns < INT64_C(100000000000); global_ns += 7000000000) {
                int64_t offset_ns = offsets_ns[o] + llrint(ppbs[d] * 1e-9 * (double)global_ns);
                struct ordo_global_time time = ordo_model_time(&model, global_ns + offset_ns);
                cr_assert(time.earliest_ns <= global_ns && global_ns <= time.latest_ns);
                cr_assert_leq(llabs(time.estimate_ns - global_ns), 50 + global_ns / 20000000,
                              "50 ns and 50 ppb, at %lld", (long long)global_ns);
            }
        }
}

Test(model, an_insignificant_slope_is_not_used)
{
    struct ordo_fit_point points[POINTS];
    struct ordo_model model;
    int used = 0;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        measure(points, 77, 0, 0, seed);
        cr_assert_eq(ordo_model_fit(&model, points, POINTS, &plain, NULL), 0);
        used += model.slope != 0;
    }
    cr_assert_lt(used, 25, "95%% intervals: about 5 of 100, not %d", used);
    measure(points, 77, 500, 0, 1);
    cr_assert_eq(ordo_model_fit(&model, points, POINTS, &plain, NULL), 0);
    cr_assert_float_eq(model.slope, 500e-9, 100e-9);
}

Test(model, one_point_gives_an_offset_and_the_declared_skew)
{
    struct ordo_fit_point points[POINTS];
    struct ordo_model model;
    measure(points, 1000, 400000, 0, 1);
    cr_assert_eq(ordo_model_fit(&model, points, 1, &plain, NULL), 0);
    struct ordo_interval later = ordo_model_offset_at(&model, INT64_C(10000000000));
    cr_assert(later.low <= 1000 + 4000000 && 1000 + 4000000 <= later.high);
    cr_assert_eq(model.slope, 0);
}

/* A fit is refused if its intervals contradict each other: because of a step, or of a skew or a wander above the
 * declared one. */
Test(model, a_fit_refuses_contradicting_measurements)
{
    struct ordo_fit_point points[POINTS];
    struct ordo_model model;
    struct ordo_error error;
    measure(points, 0, 0, 1000000, 1);
    cr_assert_eq(ordo_model_fit(&model, points, POINTS, &plain, &error), ORDO_E_MEASURE);
    cr_assert(!model.known && strncmp(error.text, "a clock stepped", 15) == 0, "%s", error.text);
    struct ordo_fit_options coarse = plain;
    coarse.granule_ns = coarse.client_granule_ns = 4000000;
    measure(points, 0, 0, INT64_C(1000000000000), 1);
    cr_assert_eq(ordo_model_fit(&model, points, POINTS, &coarse, &error), ORDO_E_MEASURE);
    cr_assert(!model.known && strstr(error.text, "a coarse clock was later than its tick, or "), "%s", error.text);
    struct ordo_fit_options proud = plain;
    proud.max_skew_ppb = 1000;
    measure(points, 0, 20000, 0, 1);
    cr_assert_eq(ordo_model_fit(&model, points, POINTS, &proud, &error), ORDO_E_MEASURE);
    measure(points, 0, 0, 20000, 1);
    cr_assert_eq(ordo_model_fit(&model, points, POINTS, &plain, &error), ORDO_E_MEASURE);
    struct ordo_fit_options loose = plain;
    loose.max_wander_ppb = 500000;
    cr_assert_eq(ordo_model_fit(&model, points, POINTS, &loose, &error), 0, "20 us in 50 ms are 400 ppm");
}

static struct ordo_model exact(int64_t ref_ns, int64_t offset_ns, double slope)
{
    return (struct ordo_model){.known = 1,
                               .granule_ns = 1,
                               .ref_ns = ref_ns,
                               .offset_ns = offset_ns,
                               .low_ns = offset_ns - 10,
                               .high_ns = offset_ns + 10,
                               .slope = slope,
                               .drift_min = slope - 1e-9,
                               .drift_max = slope + 1e-9};
}

/* A merged model gives the result of the two models applied one after the other, for any order of their instants. */
Test(model, a_merged_model_equals_both_models_in_succession)
{
    static const int64_t refs_ns[] = {0, 5000000000, -3000000000};
    static const double slopes[] = {0, 2e-5, -2e-5, 4e-4};
    for (int i = 0; i < 3 * 3 * 4 * 4; i++) {
        struct ordo_model client = exact(refs_ns[i % 3] + 9000, 9000, slopes[i / 9 % 4]);
        struct ordo_model middle = exact(refs_ns[i / 3 % 3], -400000, slopes[i / 36]);
        struct ordo_model merged = ordo_model_merge(&client, &middle);
        for (int64_t local_ns = -20000000000; local_ns <= 20000000000; local_ns += 1700000000) {
            int64_t middle_ns = ordo_model_time(&client, local_ns).estimate_ns;
            struct ordo_global_time both = ordo_model_time(&middle, middle_ns),
                                    one = ordo_model_time(&merged, local_ns);
            cr_assert_leq(llabs(both.estimate_ns - one.estimate_ns), 2);
            cr_assert(one.earliest_ns <= both.estimate_ns - 19 && both.estimate_ns + 19 <= one.latest_ns,
                      "both errors add");
            struct ordo_interval first = ordo_model_offset_at(&client, local_ns);
            struct ordo_interval second = ordo_model_offset_at(&middle, middle_ns);
            if (local_ns > 6000000000)
                cr_assert_leq(one.latest_ns - one.earliest_ns, first.high - first.low + second.high - second.low + 10,
                              "the bound is no wider");
        }
    }
}

/* The client's bounds hold at the instant at which the middle's clock is read. The middle's clock may drift in either
 * direction. */
Test(model, merging_uses_both_ends_of_the_clients_interval)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        struct ordo_model client = exact(0, 0, 0), middle = exact(0, 0, sign * 4e-4);
        client.low_ns = -1000000;
        client.high_ns = 1000000;
        struct ordo_model merged = ordo_model_merge(&client, &middle);
        for (int64_t offset_ns = client.low_ns; offset_ns <= client.high_ns; offset_ns += 2000000) {
            struct ordo_interval more = ordo_model_offset_at(&middle, merged.ref_ns - offset_ns);
            cr_assert_leq(merged.low_ns, offset_ns + more.low);
            cr_assert_geq(merged.high_ns, offset_ns + more.high);
        }
    }
}

Test(model, bounds_are_rounded_outwards)
{
    struct ordo_model model = exact(0, 0, 0), coarse = ordo_model_identity(100);
    struct ordo_interval later = ordo_model_offset_at(&model, 5), earlier = ordo_model_offset_at(&model, -5);
    cr_assert(later.low == -11 && later.high == 11 && earlier.low == -11 && earlier.high == 11);
    struct ordo_global_time time = ordo_model_time(&coarse, 500);
    cr_assert(time.earliest_ns == 500 && time.estimate_ns == 500 && time.latest_ns == 600);
}

/* Returns the largest difference of two average rates within t_ns. `near` and `late` are the declared wander, of one
 * clock or of two clocks together. */
static double declared(double near, double late, double t_ns)
{
    double minutes = t_ns / 60e9;
    return minutes <= 1 ? near : minutes >= 60 ? late : near + (late - near) * (minutes - 1) / 59;
}

static const int64_t spans_ns[] = {0, 500000000, 59000000000, 70000000000, 3000000000000, 4000000000000};
static const int64_t ages_ns[] = {1000000000, 59000000000, 61000000000, 600000000000, 3000000000000, 9000000000000};

enum { SPANS = 6, AGES = 6, STEPS = 100000 };

/* A clock that wanders by exactly the declared rate at every age, up or down, reaches the end of the bound, and does
 * not exceed it. */
Test(model, a_clock_with_the_declared_wander_just_reaches_the_bound)
{
    for (int i = 0; i < SPANS * AGES * 2; i++) {
        double span_ns = (double)spans_ns[i % SPANS], age_ns = (double)ages_ns[i / SPANS % AGES];
        struct ordo_model model = exact(0, 0, 0);
        model.low_ns = model.high_ns = 0;
        model.drift_min = model.drift_max = 0;
        model.wander = 200e-9;
        model.late_wander = 4000e-9;
        model.span_ns = (int64_t)span_ns;
        double gained_ns = 0, step_ns = age_ns / STEPS;
        for (int k = 0; k < STEPS; k++)
            gained_ns += declared(model.wander, model.late_wander, span_ns + (k + 0.5) * step_ns) * step_ns;
        int64_t at_ns = i / SPANS / AGES ? -(int64_t)age_ns : (int64_t)age_ns;
        struct ordo_interval offset = ordo_model_offset_at(&model, at_ns);
        cr_assert(offset.high >= gained_ns - 0.01 && offset.high <= gained_ns + 1.01, "%g s after %g s: %lld, %g",
                  age_ns / 1e9, span_ns / 1e9, (long long)offset.high, gained_ns);
        cr_assert_eq(offset.low, -offset.high);
    }
}

/* A new offset does not rejuvenate the evidence for the drift. */
Test(model, an_adjusted_model_keeps_the_age_of_its_drift)
{
    struct ordo_model model = exact(0, 0, 0);
    model.low_ns = -1000000000;
    model.high_ns = 1000000000;
    model.drift_min = model.drift_max = 0;
    model.wander = 200e-9;
    model.late_wander = 4000e-9;
    struct ordo_fit_point hour = {{3600000000000, 0}, ordo_visit_plain(0, 0, 3600000000000, 3600000000000)};
    cr_assert_eq(ordo_model_adjust(&model, &hour, 1, NULL), 0);
    cr_assert_eq(ordo_model_offset_at(&model, 3601000000000).high, 1 + 1 + 4000, "a second at 4 ppm");
}

Test(model, the_declared_wander_is_doubled_for_two_clocks)
{
    struct ordo_model model = {0};
    ordo_model_declare(&model, 100, 2000, 500000);
    cr_assert(model.wander >= 200e-9 && model.wander < 201e-9 && model.late_wander >= 4e-6 &&
              model.late_wander < 4.02e-6);
    ordo_model_declare(&model, 3000, 2000, 500000);
    cr_assert_eq(model.late_wander, model.wander, "the wander is never less than that of a minute");
}

/* Both links are off by their full wander, in any combination of directions. The wander is large here, so that products
 * of wanders count. */
Test(model, merged_models_add_their_wanders)
{
    uint64_t random = 11;
    for (int i = 0; i < 200; i++) {
        struct ordo_model link[2];
        double rate[2], sign[2] = {i % 2 ? 1 : -1, i / 2 % 2 ? 1 : -1};
        for (int k = 0; k < 2; k++) {
            rate[k] = 1e-3 * (2 * ordo_random_unit(&random) - 1);
            link[k] = exact(0, 0, rate[k]);
            link[k].low_ns = link[k].high_ns = 0;
            link[k].drift_min = link[k].drift_max = rate[k];
            link[k].wander = 1e-4 * ordo_random_unit(&random);
            link[k].late_wander = link[k].wander + 1e-3 * ordo_random_unit(&random);
            link[k].span_ns = spans_ns[(i + k) % SPANS];
        }
        struct ordo_model merged = ordo_model_merge(&link[0], &link[1]);
        double age_ns = (double)ages_ns[i % AGES], step_ns = age_ns / STEPS, reference_ns = 0;
        for (int k = 0; k < STEPS; k++) {
            double wander[2];
            for (int j = 0; j < 2; j++)
                wander[j] = sign[j] * declared(link[j].wander, link[j].late_wander,
                                               (double)link[j].span_ns + (k + 0.5) * step_ns);
            double middle_step_ns = step_ns * (1 - rate[0] - wander[0]);
            reference_ns += middle_step_ns * (1 - rate[1] - wander[1]);
        }
        struct ordo_interval offset = ordo_model_offset_at(&merged, (int64_t)age_ns);
        double truth_ns = age_ns - reference_ns;
        cr_assert(offset.low <= truth_ns + 0.1 && truth_ns - 0.1 <= offset.high, "%d: %g not in %lld to %lld", i,
                  truth_ns, (long long)offset.low, (long long)offset.high);
    }
}

/* Within the observed window, a clock may wander by the amount declared for a time of the window's length. */
Test(model, a_fit_over_an_hour_allows_an_hours_wander)
{
    struct ordo_fit_options hour = plain;
    struct ordo_fit_point points[POINTS];
    struct ordo_model model;
    hour.max_wander_ppb = 100;
    hour.late_wander_ppb = 2000;
    for (int bent = 0; bent < 2; bent++) {
        for (int k = 0; k < POINTS; k++) {
            int64_t at_ns = k * INT64_C(190000000000), half_ns = POINTS / 2 * INT64_C(190000000000);
            int64_t offset_ns = at_ns < half_ns ? 0 : (at_ns - half_ns) * (bent ? 5000 : 3900) / 1000000000;
            points[k].visit = ordo_visit_plain(offset_ns + 500, 500 - offset_ns, (uint64_t)at_ns, (uint64_t)at_ns);
            points[k].offset = (struct ordo_offset){at_ns, offset_ns};
        }
        cr_assert_eq(ordo_model_fit(&model, points, POINTS, &hour, NULL), bent ? ORDO_E_MEASURE : 0);
    }
}

Test(model, an_unknown_model_is_infinitely_uncertain)
{
    struct ordo_model known = exact(0, 0, 0), unknown = {0};
    struct ordo_model merged[] = {ordo_model_merge(&known, &unknown), ordo_model_merge(&unknown, &known), unknown};
    for (int i = 0; i < 3; i++) {
        struct ordo_global_time never = ordo_model_time(&merged[i], 5);
        cr_assert_eq(ordo_global_compare(never, ordo_model_time(&known, INT64_MAX / 4)), 0);
        cr_assert_eq(ordo_global_compare(ordo_model_time(&known, -INT64_MAX / 4), never), 0);
        cr_assert(!merged[i].known);
    }
}

Test(model, an_adjustment_refuses_a_contradiction)
{
    struct ordo_model model = exact(0, 0, 0), before = model;
    struct ordo_fit_point point = {{1000, 6}, ordo_visit_plain(8, -2, 1000, 1000)}; /* the offset is between 2 and 8 */
    cr_assert_eq(ordo_model_adjust(&model, &point, 1, NULL), 0);
    cr_assert(model.ref_ns == 1000 && model.offset_ns == 6 && model.low_ns <= 1 && model.high_ns >= 9);
    cr_assert_leq(model.high_ns - model.low_ns, 10, "the span is 2 to 8, plus a granule either way and rounding");
    point = (struct ordo_fit_point){{1000, 500}, ordo_visit_plain(510, -490, 1000, 1000)};
    cr_assert_eq(ordo_model_adjust(&before, &point, 1, NULL), ORDO_E_MEASURE);
    cr_assert(!before.known);
}

Test(model, an_estimate_outside_the_bounds_is_clamped)
{
    for (int64_t wrong_ns = -500; wrong_ns <= 500; wrong_ns += 1000) {
        struct ordo_model model = exact(0, 0, 0);
        struct ordo_fit_point point = {{1000, wrong_ns}, ordo_visit_plain(8, -2, 1000, 1000)};
        model.slope = wrong_ns < 0 ? -1e-3 : 1e-3;
        cr_assert_eq(ordo_model_adjust(&model, &point, 1, NULL), 0);
        cr_assert_eq(model.offset_ns, wrong_ns < 0 ? model.low_ns : model.high_ns);
        cr_assert_eq(model.slope, wrong_ns < 0 ? model.drift_min : model.drift_max);
    }
}

static int64_t above(int64_t value_ns, int64_t granule_ns)
{
    return (value_ns % granule_ns + granule_ns) % granule_ns;
}

/* The extreme case of both bounds: messages without delay, a middle whose offset is at the end of its certain interval,
 * and one clock as far as possible above its reading while the other clock equals its reading. */
Test(model, bounds_measured_through_a_middle_clock_are_tight)
{
    static const int64_t granules_ns[] = {1, 100, 1000000};
    const double slope = 4e-4 / (1 + 4e-4);
    uint64_t random = 5;
    for (int i = 0; i < 3000; i++) {
        int64_t granule_ns = granules_ns[i % 3], width_ns = i % 7 * 1000;
        bool high = i % 2;
        int64_t at_ns = (int64_t)(1e10 * ordo_random_unit(&random)) - 5000000000; /* the reference's clock */
        int64_t client_ns = at_ns + 123456789, middle_ns = at_ns + llrint(4e-4 * (double)at_ns) - 98765;
        int64_t shift_ns = above(middle_ns, granule_ns) - (high ? 0 : granule_ns - 1);
        middle_ns -= shift_ns;
        client_ns += (high ? granule_ns - 1 : 0) - above(client_ns, granule_ns);
        struct ordo_model middle = {.known = 1,
                                    .ref_ns = -98765 - shift_ns,
                                    .offset_ns = -98765 - shift_ns + (high ? -width_ns : width_ns),
                                    .slope = slope,
                                    .drift_min = slope,
                                    .drift_max = slope};
        middle.low_ns = high ? middle.offset_ns : middle.ref_ns;
        middle.high_ns = high ? middle.ref_ns : middle.offset_ns;
        int64_t read_ns = client_ns - above(client_ns, granule_ns);
        int64_t answered_ns = middle_ns - above(middle_ns, granule_ns), apart_ns = read_ns - answered_ns;
        struct ordo_fit_point point = {{read_ns, apart_ns},
                                       ordo_visit_plain(apart_ns, -apart_ns, (uint64_t)read_ns, (uint64_t)read_ns)};
        struct ordo_fit_point relayed = ordo_model_relay(&middle, &point, granule_ns);
        int64_t highest_ns = relayed.visit.delta_ab + granule_ns, lowest_ns = -relayed.visit.delta_ba - granule_ns;
        cr_assert(lowest_ns <= client_ns - at_ns && client_ns - at_ns <= highest_ns, "at %lld", (long long)at_ns);
        cr_assert_leq(high ? highest_ns - (client_ns - at_ns) : client_ns - at_ns - lowest_ns, 3,
                      "the bound is no wider");
        cr_assert_leq(llabs(relayed.offset.offset_ns - (client_ns - at_ns)), width_ns + 2 * granule_ns);
    }
}

/* The client's clock was up to a granule above its reading, and drifts from that time on. */
Test(model, a_coarse_reading_is_extrapolated_from_its_worse_end)
{
    for (int side = 0; side < 2; side++) {
        const int64_t granule_ns = 1000000;
        struct ordo_model model = exact(0, 0, 0);
        model.low_ns = -granule_ns * 100;
        model.high_ns = granule_ns * 100;
        model.drift_min = model.drift_max = side ? 1e-3 : -1e-3;
        struct ordo_fit_point point = {{0, 0}, ordo_visit_plain(0, 0, 0, 0)};
        cr_assert_eq(ordo_model_adjust(&model, &point, granule_ns, NULL), 0);
        cr_assert_eq(model.high_ns, granule_ns + (side ? -1000 : 1000));
        cr_assert_eq(model.low_ns, -granule_ns);
    }
}

Test(model, overlapping_global_times_are_uncertain)
{
    struct ordo_global_time early = {0, 5, 10}, touches = {10, 12, 15}, late = {11, 12, 13};
    cr_assert_eq(ordo_global_compare(early, late), -1);
    cr_assert_eq(ordo_global_compare(late, early), 1);
    cr_assert_eq(ordo_global_compare(early, touches), 0);
    cr_assert_eq(ordo_global_compare(touches, late), 0);
}
