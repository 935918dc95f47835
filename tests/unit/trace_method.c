/* The correction methods on clocks whose offset is known: the bounds hold with every method, and the estimates are
 * close to the truth. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "trace/method/method.h"
#include "trace_truth.h"

enum { METHODS = 3 };

static const char *const names[METHODS] = {"interval", "linear", "spline"};

static struct truth truth;

struct made {
    struct ordo_fixes fixes;
    struct ordo_correction correction;
    int64_t first_ns, last_ns; /* times of the first and the last knot */
};

static struct made make(const char *method, const struct ordo_fixes *fixes, const struct ordo_declared *declared)
{
    struct made made = {0};
    struct ordo_error error = {0};
    for (int i = 0; i < fixes->count; i++)
        (void)ordo_fixes_add(&made.fixes, &fixes->all[i], NULL);
    made.fixes.likely = fixes->likely;
    made.fixes.likely_count = fixes->likely_count;
    int code = ordo_correction_make(&made.correction, ordo_method_find(method), &made.fixes, declared, &error);
    cr_assert_eq(code, ORDO_OK, "%s: %s", method, error.text);
    made.first_ns = made.correction.band.knots[0].at_ns;
    made.last_ns = made.correction.band.knots[made.correction.band.count - 1].at_ns;
    return made;
}

static void unmake(struct made *made)
{
    ordo_correction_free(&made->correction);
    free(made->fixes.all);
}

/* Returns the global time at which the clock shows `clock_ns`, relative to `from_ns`. */
static double global_since(long double clock_ns, int64_t from_ns)
{
    return (double)(clock_ns - truth_offset(&truth, clock_ns) + (long double)(truth.master_base_ns - from_ns));
}

/* Expects that the bounds contain the truth for every time of the clock from this reading up to the next one. */
static void expect_holds(struct made *made, int64_t reading_ns, int64_t granule_ns, const char *method)
{
    struct ordo_event_stamp stamp = ordo_curve_at(&made->correction.curve, reading_ns);
    long double at = (long double)(reading_ns - truth.clock_base_ns);
    double least = global_since(at, stamp.earliest_ns);
    double most = global_since(at + (long double)granule_ns, stamp.latest_ns);
    cr_assert(least >= -0.02 && most <= 0.02, "%s: %g before, %g after", method, -least, most);
    cr_assert(stamp.earliest_ns <= stamp.global_ns && stamp.global_ns <= stamp.latest_ns, "%s", method);
}

static void draw(uint64_t *random, struct ordo_fixes *fixes, struct ordo_declared *declared, int64_t *granule_ns)
{
    struct truth_exchanges how = {.count = 1 + (int)(ordo_random_next(random) % 15),
                                  .delay_ns = pow(10, truth_between(random, 2, 5)),
                                  .clock_granule_ns = (int64_t[]){1, 40, 1000}[ordo_random_next(random) % 3],
                                  .master_granule_ns = (int64_t[]){1, 40, 1000}[ordo_random_next(random) % 3]};
    int sessions = 1 + (int)(ordo_random_next(random) % 20);
    double apart_s = pow(10, truth_between(random, 0, 2)), at_s = 100;
    *declared = ordo_declared_defaults();
    declared->max_wander_ppb = pow(10, truth_between(random, 0, 3.5));
    declared->granule_ns = *granule_ns = how.clock_granule_ns;
    declared->master_ns = (double)how.master_granule_ns;
    truth_draw(&truth, random, declared, 300 + 1.6 * apart_s * sessions, 1000);
    *fixes = (struct ordo_fixes){.rank = 3};
    for (int i = 0; i < sessions; i++, at_s += apart_s * truth_between(random, 0.4, 1.6))
        truth_session(&truth, random, &how, (long double)(at_s * truth_second_ns), i, fixes);
}

/* A check of the correction of one random clock by one method. */
typedef void expectation(struct made *made, uint64_t *random, int64_t granule_ns, const char *method);

/* Draws `draws` random clocks, corrects each by every method, and calls `expect`. */
static void expect_of_every_method(uint64_t random, int draws, expectation *expect)
{
    for (int i = 0; i < draws; i++) {
        struct ordo_fixes fixes;
        struct ordo_declared declared;
        int64_t granule_ns;
        draw(&random, &fixes, &declared, &granule_ns);
        for (int m = 0; m < METHODS; m++) {
            struct made made = make(names[m], &fixes, &declared);
            expect(&made, &random, granule_ns, names[m]);
            unmake(&made);
        }
        free(fixes.all);
    }
}

static void expect_bounds(struct made *made, uint64_t *random, int64_t granule_ns, const char *method)
{
    for (int k = 0; k < 100; k++) {
        long double at = (long double)truth_between(random, 10e9, 0.99 * (double)truth.true_ns[truth.count - 1]);
        expect_holds(made, truth_read_clock(&truth, at, granule_ns), granule_ns, method);
    }
}

Test(trace_method, bounds_hold_at_every_reading_with_every_method)
{
    expect_of_every_method(11, 400, expect_bounds);
}

/* Expects that the estimates of the pieces are between the parabolas, even before they are clamped. */
static void expect_inside(const struct made *made, const struct ordo_declared *declared)
{
    const struct ordo_correction *correction = &made->correction;
    for (int i = 0; i + 1 < correction->band.count; i++) {
        const struct ordo_piece *piece = &correction->curve.pieces[i + 1];
        double over = (double)(correction->band.knots[i + 1].at_ns - piece->from_ns);
        for (int k = 0; k <= 20; k++) {
            double s = over * k / 20, slack = 0.02;
            double low = piece->low[0] + s * (piece->low[1] + s * piece->low[2]);
            double high = piece->high[0] + s * (piece->high[1] + s * piece->high[2]);
            double at =
                piece->estimate[0] + s * (piece->estimate[1] + s * (piece->estimate[2] + s * piece->estimate[3]));
            cr_assert(low - slack <= at && at <= high + slack, "piece %d at %g: %g is not in %g to %g (%g ppb)", i, s,
                      at, low, high, declared->max_wander_ppb);
        }
    }
}

/* Tests [I3] of method/interval.c, and [I1]: the error of the estimate is at most the reported bound_ns. */
Test(trace_method, estimates_of_the_interval_method_stay_within_the_bounds)
{
    uint64_t random = 12;
    for (int i = 0; i < 600; i++) {
        struct ordo_fixes fixes;
        struct ordo_declared declared;
        int64_t granule_ns;
        draw(&random, &fixes, &declared, &granule_ns);
        struct made made = make("interval", &fixes, &declared);
        expect_inside(&made, &declared);
        double bound_ns = made.correction.bound_ns;
        cr_assert_eq(isinf(bound_ns), made.correction.band.count < 2);
        made.correction.curve.granule_ns = 0;
        for (int k = 0; k < 100 && made.last_ns > made.first_ns; k++) {
            int64_t at_ns =
                made.first_ns + (int64_t)(truth_between(&random, 0, (double)(made.last_ns - made.first_ns)));
            struct ordo_event_stamp stamp = ordo_curve_at(&made.correction.curve, at_ns);
            cr_assert_leq((double)(stamp.latest_ns - stamp.earliest_ns) / 2, bound_ns + 1.5, "trial %d", i);
            double off = global_since((long double)(at_ns - truth.clock_base_ns), stamp.global_ns);
            cr_assert_leq(fabs(off), 2 * bound_ns + 2, "trial %d: %g", i, off);
        }
        struct ordo_event_stamp knot = ordo_curve_at(&made.correction.curve, made.first_ns);
        double off = global_since((long double)(made.first_ns - truth.clock_base_ns), knot.global_ns);
        cr_assert_leq(fabs(off), (double)(knot.latest_ns - knot.earliest_ns) / 2 + 1.5, "trial %d: %g", i, off);
        unmake(&made);
        free(fixes.all);
    }
}

static void exact_session(long double true_ns, int64_t session, int count, struct ordo_fixes *fixes)
{
    uint64_t random = 0;
    struct truth_exchanges how = {count, 0, 1, 1};
    truth_session(&truth, &random, &how, true_ns, session, fixes);
}

/* Returns the largest error of an estimate between the first knot and the last one. */
static double worst_error(struct made *made)
{
    double worst = 0;
    for (int k = 0; k <= 1000; k++) {
        int64_t at_ns = made->first_ns + (made->last_ns - made->first_ns) / 1000 * k;
        struct ordo_event_stamp stamp = ordo_curve_at(&made->correction.curve, at_ns);
        worst = fmax(worst, fabs(global_since((long double)(at_ns - truth.clock_base_ns), stamp.global_ns)));
    }
    return worst;
}

Test(trace_method, a_clock_of_constant_rate_is_recovered_to_the_nanosecond)
{
    for (int sessions = 2; sessions <= 12; sessions++)
        for (int m = 0; m < METHODS; m++) {
            struct ordo_declared declared = ordo_declared_defaults();
            struct ordo_fixes fixes = {.rank = 3};
            declared.granule_ns = 1;
            declared.master_ns = 1;
            truth_begin(&truth, 4000000000000, 1000000000000);
            truth_run(&truth, 300e9L, 37.5e-6, 0);
            for (int i = 0; i < sessions; i++)
                exact_session((long double)(10 + 20. * i) * 1e9L, i, 10, &fixes);
            struct made made = make(names[m], &fixes, &declared);
            double rate = 37.5e-6 / (1 + 37.5e-6);
            cr_assert_leq(worst_error(&made), 3, "%s, %d sessions: %g", names[m], sessions, worst_error(&made));
            cr_assert(fabs(made.correction.rate - rate) < 1e-9, "%s: %g", names[m], made.correction.rate);
            cr_assert(made.correction.residual_most_ns <= 3 &&
                          made.correction.residual_ns <= made.correction.residual_most_ns,
                      "%s", names[m]);
            unmake(&made);
            free(fixes.all);
        }
}

/* An oscillator is warmed and cooled: its rate changes by 1 ppm in ten minutes. Only the straight line cannot follow
 * it. */
Test(trace_method, curves_follow_a_wandering_clock)
{
    struct ordo_declared declared = ordo_declared_defaults();
    struct ordo_fixes fixes = {.rank = 3};
    declared.max_wander_ppb = 1000;
    declared.granule_ns = 1;
    declared.master_ns = 1;
    truth_begin(&truth, 4000000000000, 1000000000000);
    for (int i = 0; i < 6000; i++)
        truth_run(&truth, 0.1e9L, 20e-6 + 0.5e-6 * sin(i * 0.1 / 600 * 2 * M_PI), 0);
    for (int i = 0; i < 30; i++)
        exact_session((long double)(5 + 20. * i) * 1e9L, i, 10, &fixes);
    double worst[METHODS];
    for (int m = 0; m < METHODS; m++) {
        struct made made = make(names[m], &fixes, &declared);
        worst[m] = worst_error(&made);
        unmake(&made);
    }
    cr_assert_leq(worst[0], 20, "%g", worst[0]);
    cr_assert_leq(worst[2], 100, "%g", worst[2]);
    cr_assert_geq(worst[1], 1000, "%g", worst[1]);
    free(fixes.all);
}

/* True if two methods give the same times for a clock that wanders, with this number of sessions. */
static bool agree(const char *one, const char *other, int sessions)
{
    struct ordo_declared declared = ordo_declared_defaults();
    struct ordo_fixes fixes = {.rank = 3};
    bool same = true;
    declared.max_wander_ppb = 1000;
    declared.granule_ns = 1;
    declared.master_ns = 1;
    truth_begin(&truth, 4000000000000, 1000000000000);
    for (int i = 0; i < 600; i++)
        truth_run(&truth, 1e9L, 20e-6 + 0.5e-6 * sin(i / 600. * 2 * M_PI), 0);
    for (int i = 0; i < sessions; i++)
        exact_session((5 + 590.L * i / (sessions - 1)) * 1e9L, i, 10, &fixes);
    struct made first = make(one, &fixes, &declared), second = make(other, &fixes, &declared);
    for (int64_t at_ns = first.first_ns; at_ns < first.last_ns; at_ns += 1000000000)
        same &= ordo_curve_at(&first.correction.curve, at_ns).global_ns ==
                ordo_curve_at(&second.correction.curve, at_ns).global_ns;
    unmake(&first);
    unmake(&second);
    free(fixes.all);
    return same;
}

Test(trace_method, the_collector_takes_a_line_for_two_sessions_and_a_spline_for_more)
{
    cr_assert(agree("collector", "linear", 2));
    cr_assert(!agree("collector", "linear", 3));
    cr_assert(agree("collector", "spline", 3));
    cr_assert(agree("collector", "spline", 11));
}

static void expect_ascending(struct made *made, uint64_t *random, int64_t granule_ns, const char *method)
{
    int64_t step_ns = (made->last_ns - made->first_ns) / 300 + 1;
    int64_t before_ns = ordo_curve_at(&made->correction.curve, made->first_ns).global_ns;
    (void)random;
    (void)granule_ns;
    for (int64_t at_ns = made->first_ns; at_ns < made->last_ns; at_ns += step_ns) {
        int64_t now_ns = ordo_curve_at(&made->correction.curve, at_ns).global_ns;
        cr_assert_geq(now_ns, before_ns, "%s, at %lld ns", method, (long long)at_ns);
        before_ns = now_ns;
    }
}

Test(trace_method, estimates_never_run_backwards_between_sessions)
{
    expect_of_every_method(13, 300, expect_ascending);
}

enum { LIKELY = 300 };

/* Draws samples of the offset that are off by up to `off_ns`, in the order of times. */
static void draw_likely(uint64_t *random, struct ordo_fixes *fixes, struct ordo_likely *likely, double off_ns)
{
    long double end = truth.clock_ns[truth.count - 1];
    for (int i = 0; i < LIKELY; i++) {
        long double at = end * (i + 1) / (LIKELY + 1);
        long double offset = truth_offset(&truth, at) + (long double)truth_between(random, -off_ns, off_ns);
        likely[i] = (struct ordo_likely){truth.clock_base_ns + (int64_t)at,
                                         truth.clock_base_ns - truth.master_base_ns + (int64_t)offset};
    }
    fixes->likely = likely;
    fixes->likely_count = LIKELY;
}

/* Tests [I4] of method/interval.c: for any samples the curve stays in the band and does not run backwards. */
Test(trace_method, wrong_likely_offsets_do_not_leave_the_band)
{
    uint64_t random = 15;
    for (int i = 0; i < 300; i++) {
        struct ordo_fixes fixes;
        struct ordo_declared declared;
        struct ordo_likely likely[LIKELY];
        int64_t granule_ns;
        draw(&random, &fixes, &declared, &granule_ns);
        draw_likely(&random, &fixes, likely, pow(10, truth_between(&random, 1, 9)));
        if (i % 2) /* the spread does not show that these are wrong */
            for (int k = 0; k < LIKELY; k++)
                likely[k].offset_ns = likely[0].offset_ns + (k % 40 < 20) * 100000000;
        struct made made = make("interval", &fixes, &declared);
        expect_inside(&made, &declared);
        expect_bounds(&made, &random, granule_ns, "interval");
        expect_ascending(&made, &random, granule_ns, "interval");
        unmake(&made);
        free(fixes.all);
    }
}

/* The exchanges are slow in one direction, so the middle of the bounds is off by 50 us; the samples are right. */
Test(trace_method, likely_offsets_replace_the_middle_of_one_sided_bounds)
{
    uint64_t random = 16;
    struct ordo_declared declared = ordo_declared_defaults();
    struct ordo_fixes fixes = {.rank = 3};
    struct ordo_likely likely[LIKELY];
    declared.granule_ns = 1;
    declared.master_ns = 1;
    truth_begin(&truth, 4000000000000, 1000000000000);
    truth_run(&truth, 300e9L, 5e-6, 0);
    for (int i = 0; i < 10; i++) {
        long double at = (long double)(10 + 20. * i) * 1e9L;
        struct ordo_fix fix =
            ordo_fix_of_exchange(i, truth_read_clock(&truth, at, 1), truth_read_master(&truth, at + 1e5L, 1),
                                 truth_read_clock(&truth, at + 1e5L + 1000, 1));
        (void)ordo_fixes_add(&fixes, &fix, NULL);
    }
    struct made made = make("interval", &fixes, &declared);
    cr_assert_geq(worst_error(&made), 20000);
    unmake(&made);
    draw_likely(&random, &fixes, likely, 1000);
    made = make("interval", &fixes, &declared);
    cr_assert_leq(worst_error(&made), 1000);
    unmake(&made);
    free(fixes.all);
}

/* A tenth of the exchanges are slow in one direction. */
Test(trace_method, the_slowest_tenth_of_the_round_trips_is_ignored)
{
    struct ordo_declared declared = ordo_declared_defaults();
    struct ordo_fixes fixes = {.rank = 3};
    declared.granule_ns = 1;
    declared.master_ns = 1;
    truth_begin(&truth, 4000000000000, 1000000000000);
    truth_run(&truth, 300e9L, 5e-6, 0);
    for (int i = 0; i < 10; i++) {
        exact_session((long double)(10 + 20. * i) * 1e9L, i, 18, &fixes);
        for (int k = 0; k < 2; k++) {
            long double at = (long double)(11 + 20. * i + k) * 1e9L;
            struct ordo_fix fix =
                ordo_fix_of_exchange(i, truth_read_clock(&truth, at, 1), truth_read_master(&truth, at + 1e6L, 1),
                                     truth_read_clock(&truth, at + 1e6L, 1));
            (void)ordo_fixes_add(&fixes, &fix, NULL);
        }
    }
    for (int m = 0; m < METHODS; m++) {
        struct made made = make(names[m], &fixes, &declared);
        cr_assert_leq(worst_error(&made), 3, "%s: %g", names[m], worst_error(&made));
        unmake(&made);
    }
    cr_assert_eq(ordo_fixes_kept(20), 18);
    cr_assert_eq(ordo_fixes_kept(9), 9);
    free(fixes.all);
}

Test(trace_method, an_unknown_method_is_not_found)
{
    cr_assert_null(ordo_method_find("splin"));
    for (int m = 0; m < METHODS; m++)
        cr_assert_str_eq(ordo_method_find(names[m])->name, names[m]);
}

/* Tests [C1] of curve/curve.h: pieces are found for times in any order, and a distance beyond the range of int64 is
 * clamped. */
Test(trace_curve, times_in_any_order_find_their_piece_of_the_curve)
{
    enum { PIECES = 17 };
    struct ordo_curve curve;
    uint64_t random = 14;
    cr_assert_eq(ordo_curve_create(&curve, PIECES, NULL), ORDO_OK);
    for (int i = 0; i < PIECES; i++) {
        curve.pieces[i].from_ns = 1000 * i;
        curve.pieces[i].base_ns = -i;
    }
    for (int i = 0; i < 5000; i++) {
        int64_t at_ns = (int64_t)(ordo_random_next(&random) % 20000) - 2000;
        int64_t expected = at_ns < 1000 ? 0 : at_ns >= 1000 * (PIECES - 1) ? PIECES - 1 : at_ns / 1000;
        cr_assert_eq(ordo_curve_at(&curve, at_ns).global_ns, at_ns + expected, "%lld", (long long)at_ns);
    }
    ordo_curve_free(&curve);
}

Test(trace_curve, bounds_are_rounded_outwards)
{
    struct ordo_curve curve;
    cr_assert_eq(ordo_curve_create(&curve, 1, NULL), ORDO_OK);
    curve.pieces[0] = (struct ordo_piece){.low = {-1.25}, .high = {1.25}, .estimate = {0.5}};
    struct ordo_event_stamp stamp = ordo_curve_at(&curve, 1000);
    cr_assert(stamp.earliest_ns == 998 && stamp.latest_ns == 1002 && stamp.global_ns == 999, "%lld",
              (long long)stamp.global_ns);
    curve.granule_ns = 100; /* a reading may stand for any time up to the next one */
    cr_assert_eq(ordo_curve_at(&curve, 1000).latest_ns, 1102);
    curve.pieces[0] = (struct ordo_piece){.low = {-1e300}, .high = {1e300}, .estimate = {1e299}};
    stamp = ordo_curve_at(&curve, 1000);
    cr_assert(llabs(stamp.earliest_ns + 1000000000000000000) < 2000 &&
              llabs(stamp.latest_ns - 1000000000000000000) < 2000);
    cr_assert_eq(ordo_curve_down(-0.5), -1);
    cr_assert_eq(ordo_curve_up(-0.5), 0);
    cr_assert_eq(ordo_curve_up(7), 7);
    ordo_curve_free(&curve);
}

Test(trace_curve, an_estimate_outside_the_bounds_is_clamped)
{
    struct ordo_curve curve;
    cr_assert_eq(ordo_curve_create(&curve, 1, NULL), ORDO_OK);
    curve.pieces[0] = (struct ordo_piece){.low = {10}, .high = {20}, .estimate = {0, 1}};
    cr_assert_eq(ordo_curve_at(&curve, 5).global_ns, 5 - 10);
    cr_assert_eq(ordo_curve_at(&curve, 15).global_ns, 15 - 15);
    cr_assert_eq(ordo_curve_at(&curve, 500).global_ns, 500 - 20);
    ordo_curve_free(&curve);
    cr_assert_eq(ordo_curve_identity(&curve, NULL), ORDO_OK);
    struct ordo_event_stamp stamp = ordo_curve_at(&curve, -77);
    cr_assert(stamp.global_ns == -77 && stamp.earliest_ns == -77 && stamp.latest_ns == -77);
    ordo_curve_free(&curve);
}
