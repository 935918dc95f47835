/* The memory of a rank between synchronisations, compared with a known truth; no messages are sent. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "cluster/sync/track.h"

static const int64_t second_ns = 1000000000;

/* Returns a possible result of a synchronisation: an offset, its uncertainties below and above, and wide bounds on the
 * drift. */
static struct ordo_model found(int64_t at_ns, int64_t offset_ns, int64_t below_ns, int64_t above_ns)
{
    return (struct ordo_model){.known = 1,
                               .granule_ns = 1,
                               .ref_ns = at_ns,
                               .offset_ns = offset_ns,
                               .low_ns = offset_ns - below_ns,
                               .high_ns = offset_ns + above_ns,
                               .drift_min = -1e-3,
                               .drift_max = 1e-3};
}

static struct ordo_offset_track declared(double near_ppb, double late_ppb)
{
    return (struct ordo_offset_track){.max_wander_ppb = near_ppb, .late_wander_ppb = late_ppb, .max_skew_ppb = 500};
}

static int take(struct ordo_offset_track *track, struct ordo_model *model)
{
    return ordo_offset_track_take(track, model, NULL);
}

/* Two offsets of a clock with a constant rate, each at an end of its certain interval: the bounds on the drift contain
 * the truth, and are no wider than the sum of the two widths divided by the time between the offsets. */
Test(track, two_offsets_bound_the_drift_by_their_widths)
{
    uint64_t random = 1;
    for (int i = 0; i < 4000; i++) {
        struct ordo_offset_track track = declared(0, 0);
        double drift = 1e-4 * (2 * ordo_random_unit(&random) - 1);
        int64_t width_ns[2] = {(int64_t)(20000 * ordo_random_unit(&random)),
                               (int64_t)(20000 * ordo_random_unit(&random))};
        int64_t apart_ns = second_ns + (int64_t)(1e11 * ordo_random_unit(&random));
        int64_t changed_ns = (int64_t)(drift * (double)apart_ns);
        struct ordo_model first = found(77, 5000, i & 1 ? width_ns[0] : 0, i & 1 ? 0 : width_ns[0]);
        struct ordo_model model =
            found(77 + apart_ns, 5000 + changed_ns, i & 2 ? width_ns[1] : 0, i & 2 ? 0 : width_ns[1]);
        first.offset_ns =
            (first.low_ns + first.high_ns) / 2; /* not the true offset, which is at an end of the interval */
        model.offset_ns = (model.low_ns + model.high_ns) / 2;
        cr_assert_eq(take(&track, &first), 0);
        cr_assert_eq(take(&track, &model), 0);
        for (int64_t age_ns = 0; age_ns < 100 * second_ns; age_ns += 33 * second_ns) {
            struct ordo_interval then = ordo_model_offset_at(&model, model.ref_ns + age_ns);
            double truth_ns = 5000 + drift * (double)(apart_ns + age_ns);
            double part = (double)age_ns / (double)apart_ns;
            cr_assert(then.low <= truth_ns + 2 + part && truth_ns - 2 - part <= then.high, "%lld to %lld: %g",
                      (long long)then.low, (long long)then.high, truth_ns);
            cr_assert_leq(then.high - then.low, (double)width_ns[1] + part * (double)(width_ns[0] + width_ns[1]) + 3);
        }
    }
}

/* After the second synchronisation two clocks wander by the full amount declared for the time since the first, one up
 * and one down. They reach the end of the bound. */
Test(track, a_remembered_bound_widens_by_the_wander_since_its_begin)
{
    enum { STEPS = 100000 };
    static const int64_t apart_s[] = {10, 50, 100, 3000, 5000}, age_s[] = {1, 30, 600, 5000};
    for (int i = 0; i < 5 * 4; i++) {
        struct ordo_offset_track track = declared(100, 2000);
        int64_t apart_ns = apart_s[i % 5] * second_ns, age_ns = age_s[i / 5] * second_ns;
        struct ordo_model first = found(0, 0, 0, 0), model = found(apart_ns, 0, 0, 0);
        cr_assert_eq(take(&track, &first) + take(&track, &model), 0);
        double gained_ns = 0, step_ns = (double)age_ns / STEPS;
        for (int k = 0; k < STEPS; k++) {
            double minutes = ((double)apart_ns + (k + 0.5) * step_ns) / 60e9;
            double ppb = minutes < 1 ? 100 : minutes > 60 ? 2000 : 100 + 1900 * (minutes - 1) / 59;
            gained_ns += 2 * ppb * 1e-9 * step_ns;
        }
        struct ordo_interval then = ordo_model_offset_at(&model, apart_ns + age_ns);
        cr_assert(then.high >= gained_ns && then.high < gained_ns * 1.001 + 2, "%lld s, %lld s: %lld for %g",
                  (long long)apart_s[i % 5], (long long)age_s[i / 5], (long long)then.high, gained_ns);
        cr_assert_eq(then.low, -then.high);
    }
}

Test(track, earlier_and_new_bounds_are_intersected)
{
    struct ordo_offset_track track = declared(0, 0);
    struct ordo_model first = found(0, 0, 100, 100), model = found(second_ns, 50, 1100000, 10);
    first.drift_min = first.drift_max = 0;
    cr_assert_eq(take(&track, &first) + take(&track, &model), 0);
    cr_assert(model.low_ns == -100 && model.high_ns == 60, "%lld to %lld", (long long)model.low_ns,
              (long long)model.high_ns);
    model = found(2 * second_ns, 50, 10, 1100000);
    model.offset_ns = 1000000;
    cr_assert_eq(take(&track, &model), 0);
    cr_assert(model.low_ns == 40 && model.high_ns < 1000 && model.offset_ns <= model.high_ns);
}

Test(track, a_step_that_contradicts_the_earlier_bound_is_refused)
{
    for (int side = 0; side < 2; side++) {
        struct ordo_offset_track track = declared(0, 0);
        struct ordo_model first = found(0, 0, 100, 100), model = found(second_ns, side ? 300 : -300, 100, 100);
        struct ordo_error error = {0};
        first.drift_min = first.drift_max = 0;
        cr_assert_eq(take(&track, &first), 0);
        struct ordo_offset_track before = track;
        cr_assert_eq(ordo_offset_track_take(&track, &model, &error), ORDO_E_MEASURE);
        cr_assert(!model.known && strstr(error.text, "stepped since the last time"), "%s", error.text);
        cr_assert_arr_eq(&track, &before, sizeof track);
    }
}

/* The new drift is incompatible with the average drift since the first synchronisation, although the offset alone is
 * compatible. */
Test(track, a_drift_that_contradicts_the_average_drift_is_refused)
{
    for (int side = -1; side <= 1; side++) {
        struct ordo_offset_track track = declared(100, 100);
        struct ordo_model first = found(0, 0, 0, 0), model = found(second_ns, 10000, 0, 0);
        struct ordo_error error = {0};
        model.drift_min = model.drift_max = (10000 + side * 500) * 1e-9;
        cr_assert_eq(take(&track, &first), 0);
        cr_assert_eq(ordo_offset_track_take(&track, &model, &error), side ? ORDO_E_MEASURE : 0);
        cr_assert_eq(strstr(error.text, "the drift since") != NULL, side != 0, "%s", error.text);
    }
}

/* For any frequency of synchronisations, the used mark is old enough to give narrow bounds, and young enough to have
 * wandered little. */
Test(track, the_compared_synchronisation_is_at_most_two_minutes_old)
{
    struct ordo_offset_track track = declared(100, 2000);
    for (int i = 0; i < 1000; i++) {
        struct ordo_model model = found(i * 7 * second_ns, 0, 1000, 1000);
        cr_assert_eq(take(&track, &model), 0);
        cr_assert_leq(model.span_ns, 134 * second_ns);
        if (i > 20) {
            cr_assert_geq(model.span_ns, 20 * second_ns);
            cr_assert_leq(ordo_model_offset_at(&model, model.ref_ns + 60 * second_ns).high, 1000 + 60 * 400);
        }
    }
}

/* The two offsets are so close in time that the uncertainty of the drift exceeds the range of int64. */
Test(track, offsets_at_nearly_equal_times_do_not_bound_the_drift)
{
    struct ordo_offset_track track = declared(0, 0);
    struct ordo_model first = found(0, 0, second_ns, second_ns), model = found(1, 0, second_ns, second_ns);
    cr_assert_eq(take(&track, &first) + take(&track, &model), 0);
    cr_assert_eq(model.drift_max, 1e-3);
}

/* A synchronisation may refer to an earlier time than the last one. A mark that is not earlier than the synchronisation
 * does not bound its drift. */
Test(track, only_an_earlier_synchronisation_bounds_the_drift)
{
    for (int i = 0; i < 4; i++) {
        int64_t before_ns = i % 2 * second_ns, width_ns = i / 2 * 1000;
        struct ordo_offset_track track = declared(100, 100);
        struct ordo_model first = found(10 * second_ns, 0, width_ns, width_ns);
        struct ordo_model model = found(10 * second_ns - before_ns, 0, width_ns, width_ns);
        model.drift_min = first.drift_min = -1e-7;
        model.drift_max = first.drift_max = 1e-7;
        ordo_offset_track_observe(&track, &first);
        cr_assert_eq(take(&track, &first), 0);
        ordo_offset_track_observe(&track, &model);
        cr_assert(model.slope == 0 && track.wander.within_ns == 0);
        cr_assert_eq(take(&track, &model), 0);
        cr_assert(model.drift_min == -1e-7 && model.drift_max == 1e-7);
    }
}

Test(track, a_remembered_bound_wider_than_the_model_is_not_used)
{
    struct ordo_offset_track track = declared(0, 0);
    struct ordo_model first = found(0, 0, 1000, 1000), model = found(second_ns, 0, 1000, 1000);
    model.drift_min = -1e-7;
    model.drift_max = 1e-7;
    cr_assert_eq(take(&track, &first) + take(&track, &model), 0);
    cr_assert_eq(model.drift_max, 1e-7);
}

/* Returns the model of a rank after a good synchronisation by way of a middle. Therefore three clocks wander. */
static struct ordo_model narrow(void)
{
    struct ordo_model model = found(0, 0, 1000, 1000);
    model.drift_min = -1e-7;
    model.drift_max = 1e-7;
    ordo_model_declare(&model, 150, 3000, 500);
    model.span_ns = 50 * second_ns;
    return model;
}

/* The machine is busy during the second synchronisation, so its result is not narrower: the bound of the first one
 * stays. */
Test(track, a_narrower_remembered_bound_stays_in_use)
{
    struct ordo_offset_track track = declared(100, 2000);
    struct ordo_model first = narrow(), model = found(second_ns, 0, 1000000, 1000000);
    cr_assert_eq(take(&track, &first) + take(&track, &model), 0);
    for (int64_t at_ns = second_ns; at_ns < 5000 * second_ns; at_ns += 77 * second_ns) {
        struct ordo_interval now = ordo_model_offset_at(&model, at_ns), before = ordo_model_offset_at(&first, at_ns);
        cr_assert(llabs(now.low - before.low) <= 3 && llabs(now.high - before.high) <= 3,
                  "%lld to %lld, not %lld to %lld", (long long)now.low, (long long)now.high, (long long)before.low,
                  (long long)before.high);
    }
}

/* A synchronisation may refer to an earlier time than the preceding check. The time between the two still counts as
 * age. */
Test(track, a_narrower_remembered_bound_stays_if_time_goes_back)
{
    struct ordo_offset_track track = declared(100, 2000);
    struct ordo_model first = narrow(), model = found(-second_ns, 0, 1000000, 1000000);
    cr_assert_eq(take(&track, &first) + take(&track, &model), 0);
    cr_assert(model.drift_max == 1e-7 && model.span_ns == 51 * second_ns);
}

Test(track, a_changed_drift_is_a_contradiction)
{
    struct ordo_offset_track track = declared(100, 100);
    struct ordo_model first = narrow(), model = found(second_ns, 0, 1000000, 1000000);
    struct ordo_error error = {0};
    model.drift_min = 800e-9;
    model.drift_max = 900e-9;
    cr_assert_eq(take(&track, &first), 0);
    struct ordo_offset_track before = track;
    cr_assert_eq(ordo_offset_track_take(&track, &model, &error), ORDO_E_MEASURE);
    cr_assert(strstr(error.text, "the drift until then is "), "%s", error.text);
    cr_assert_arr_eq(&track, &before, sizeof track);
}

/* If a rank declares more skew or wander than before, marks made under the smaller declaration are forgotten. If it
 * declares less, the marks stay. */
Test(track, a_remembered_bound_is_forgotten_if_a_declared_limit_grows)
{
    static const double declared_ppb[][3] = {
        {1000, 2000, 500}, {100, 2001, 500}, {100, 2000, 501}, {100, 2000, 500}, {10, 10, 50}};
    for (int i = 0; i < 5; i++) {
        struct ordo_offset_track track = declared(100, 2000);
        struct ordo_model first = narrow(), model = found(second_ns, 0, 1000000, 1000000);
        cr_assert_eq(take(&track, &first), 0);
        ordo_offset_track_declare(&track, declared_ppb[i][0], declared_ppb[i][1], declared_ppb[i][2]);
        cr_assert(track.max_wander_ppb == declared_ppb[i][0] && track.late_wander_ppb == declared_ppb[i][1] &&
                  track.max_skew_ppb == declared_ppb[i][2]);
        cr_assert_eq(take(&track, &model), 0);
        cr_assert_eq(model.drift_max, i < 3 ? 1e-3 : 1e-7, "%d: %g", i, model.drift_max);
        cr_assert_eq(model.high_ns < 1000000, i >= 3);
    }
}

Test(track, the_wander_is_the_difference_of_two_averages)
{
    struct ordo_offset_track track = declared(100000, 100000);
    static const int64_t offsets_ns[] = {0, 1000000, 1400000, 1900000};
    static const double least_ppb[] = {0, 0, 58000, 8000}, estimate_ppb[] = {0, 100000, 60000, 10000},
                        most_ppb[] = {0, 1101000, 62000, 12000};
    for (int i = 0; i < 4; i++) {
        struct ordo_model model = found(i * 10 * second_ns, offsets_ns[i], 5000, 5000);
        model.span_ns = second_ns;
        ordo_offset_track_observe(&track, &model);
        cr_assert_float_eq(model.slope, i ? (double)(offsets_ns[i] - offsets_ns[i - 1]) / 1e10 : 0, 1e-12);
        cr_assert_eq(take(&track, &model), 0, "%d", i);
        cr_assert_float_eq(track.wander.least_ppb, least_ppb[i], 1, "%d: %g", i, track.wander.least_ppb);
        cr_assert_float_eq(track.wander.estimate_ppb, estimate_ppb[i], 1, "%d: %g", i, track.wander.estimate_ppb);
        cr_assert_float_eq(track.wander.most_ppb, most_ppb[i], 1, "%d: %g", i, track.wander.most_ppb);
        cr_assert_eq(track.wander.within_ns, i == 0 ? 0 : (i == 1 ? 11 : 20) * second_ns);
    }
}
