/* The band, compared with clocks whose offset is known: [B1] to [B7] of sync/band.c are tested on random clocks that
 * keep to their declared limits, and on the worst clocks, which reach the bounds. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace_truth.h"

enum { SESSIONS_MOST = 40, SAMPLES = 60 };

static const double minute_ns = 60e9, rounding_ns = 0.02; /* rounding_ns: tolerance for the rounding of doubles */

/** A clock, its sessions, and the bounds that follow from them. */
struct trial {
    struct truth truth;
    struct ordo_fixes fixes;
    struct ordo_condensed points[SESSIONS_MOST];
    long double begins_ns[SESSIONS_MOST]; /* the begins of the sessions */
    int sessions;
    struct ordo_band band;
    struct ordo_curve curve;
    struct ordo_error error;
};

static struct trial trial;

static void forget(void)
{
    ordo_band_free(&trial.band);
    ordo_curve_free(&trial.curve);
    free(trial.fixes.all);
    trial.fixes = (struct ordo_fixes){.rank = 7};
    trial.sessions = 0;
}

static void meet(uint64_t *random, const struct truth_exchanges *how, long double true_ns)
{
    trial.begins_ns[trial.sessions] = true_ns;
    truth_session(&trial.truth, random, how, true_ns, trial.sessions++, &trial.fixes);
}

static int make_band(const struct ordo_declared *declared)
{
    ordo_fixes_sort(&trial.fixes);
    for (int i = 0, from = 0; i < trial.sessions; i++) {
        int end = ordo_fixes_session_end(&trial.fixes, from);
        trial.points[i] = ordo_fixes_condense(trial.fixes.all, from, end);
        from = end;
    }
    int code = ordo_band_make(&trial.band, &trial.fixes, trial.points, declared, &trial.error);
    return code ? code : ordo_band_curve(&trial.band, &trial.curve, &trial.error);
}

/** Returns a clock's time as a number relative to the truth's base. */
static long double relative(int64_t clock_ns)
{
    return (long double)(clock_ns - trial.truth.clock_base_ns);
}

/** Returns the true offset, relative to the base_ns of a knot or a piece. */
static double offset_at(long double clock_ns, int64_t base_ns)
{
    int64_t bases = trial.truth.clock_base_ns - trial.truth.master_base_ns - base_ns;
    return (double)(truth_offset(&trial.truth, clock_ns) + (long double)bases);
}

struct around {
    double below_ns, above_ns; /* distances of the truth from the bounds; negative if a bound does not hold */
};

static struct around around(const struct ordo_piece *piece, long double clock_ns)
{
    double s = (double)(clock_ns - relative(piece->from_ns)), offset = offset_at(clock_ns, piece->base_ns);
    return (struct around){offset - (piece->low[0] + s * (piece->low[1] + s * piece->low[2])),
                           piece->high[0] + s * (piece->high[1] + s * piece->high[2]) - offset};
}

/** Returns the least distance of the truth from a bound, at random times of the clock in this range. Piece 0 is before
 * the first knot. */
static double least_distance(uint64_t *random, int piece, long double from_ns, long double to_ns)
{
    double least = INFINITY;
    for (int i = 0; i < SAMPLES; i++) {
        struct around at =
            around(&trial.curve.pieces[piece], from_ns + (to_ns - from_ns) * (long double)ordo_random_unit(random));
        least = fmin(least, fmin(at.below_ns, at.above_ns));
    }
    return least;
}

/** Draws a clock and its sessions, which are 100 ms to two minutes apart. */
static struct ordo_declared draw(uint64_t *random)
{
    static const int64_t granules_ns[] = {1, 1, 40, 1000, 1000000};
    struct ordo_declared declared = ordo_declared_defaults();
    struct truth_exchanges how = {.count = 1 + (int)(ordo_random_next(random) % 12),
                                  .delay_ns = pow(10, truth_between(random, 2, 6)),
                                  .clock_granule_ns = granules_ns[ordo_random_next(random) % 5],
                                  .master_granule_ns = granules_ns[ordo_random_next(random) % 5]};
    double apart_s = pow(10, truth_between(random, -1, 2.1));
    int sessions = 1 + (int)(ordo_random_next(random) % (SESSIONS_MOST - 1));
    declared.max_wander_ppb = pow(10, truth_between(random, 0, 4));
    declared.granule_ns = how.clock_granule_ns;
    declared.master_ns = (double)how.master_granule_ns;
    forget();
    truth_draw(&trial.truth, random, &declared, 700 + 1.6 * apart_s * sessions, 1000000);
    double at_s = 300;
    for (int i = 0; i < sessions; i++, at_s += apart_s * truth_between(random, 0.4, 1.6))
        meet(random, &how, (long double)(at_s * truth_second_ns));
    return declared;
}

static const struct ordo_knot *knot(int i)
{
    return &trial.band.knots[i];
}

/* [B1], [B2]: expects that between two sessions every rate of the offset is within the rates of the knot. */
static void expect_rates(int trial_number)
{
    for (int i = 0; i + 1 < trial.sessions; i++)
        for (int k = 0; k + 1 < trial.truth.count; k++) {
            const long double *clock = trial.truth.clock_ns + k, *master = trial.truth.master_ns + k;
            if (trial.truth.true_ns[k + 1] < trial.begins_ns[i] || trial.truth.true_ns[k] > trial.begins_ns[i + 1])
                continue;
            double rate = (double)(1 - (master[1] - master[0]) / (clock[1] - clock[0]));
            cr_assert(knot(i)->least <= rate + 1e-12 && rate <= knot(i)->most + 1e-12,
                      "trial %d, knot %d: %g is not in %g to %g", trial_number, i, rate, knot(i)->least, knot(i)->most);
        }
}

/* [B2] */
static void expect_knots(int trial_number)
{
    for (int i = 0; i < trial.sessions; i++) {
        double offset = offset_at(relative(knot(i)->at_ns), knot(i)->base_ns);
        cr_assert(knot(i)->low_ns <= offset + rounding_ns && offset <= knot(i)->high_ns + rounding_ns,
                  "trial %d, knot %d: %g is not in %g to %g", trial_number, i, offset, knot(i)->low_ns,
                  knot(i)->high_ns);
    }
}

Test(trace_band, an_honest_clock_stays_within_its_bounds)
{
    uint64_t random = 1;
    for (int i = 0; i < 1500; i++) {
        struct ordo_declared declared = draw(&random);
        cr_assert_eq(make_band(&declared), ORDO_OK, "trial %d: %s", i, trial.error.text);
        cr_assert_eq(trial.band.count, trial.sessions);
        expect_rates(i);
        expect_knots(i);
        int last = trial.sessions - 1;
        for (int k = 0; k < last; k++) { /* [B3] */
            double least = least_distance(&random, k + 1, relative(knot(k)->at_ns), relative(knot(k + 1)->at_ns));
            cr_assert_geq(least, -rounding_ns, "trial %d, piece %d: %g ns outside", i, k, -least);
        }
        for (int back = 0; back < 2; back++) { /* [B4] */
            long double from = relative(knot(back ? 0 : last)->at_ns);
            double least = least_distance(&random, back ? 0 : last + 1, from, from + (back ? -290e9L : 290e9L));
            cr_assert_geq(least, -rounding_ns, "trial %d, %s: %g ns outside", i, back ? "before" : "after", -least);
        }
    }
    forget();
}

/* Runs both clocks for `for_s` seconds. The rate of the clock is 1 + `rate`, the rate of the master is 1 - `rate`. */
static void run_both(double for_s, double rate)
{
    truth_run(&trial.truth, (long double)(for_s * truth_second_ns), rate, -rate);
}

static struct ordo_declared exact(double wander_ppb)
{
    struct ordo_declared declared = ordo_declared_defaults();
    declared.max_wander_ppb = wander_ppb;
    declared.granule_ns = 0;
    return declared;
}

static void meet_exactly(double at_s)
{
    uint64_t random = 0;
    meet(&random, &(struct truth_exchanges){1, 0, 1, 1}, (long double)(at_s * truth_second_ns));
}

/* The worst clock for [B3] runs faster by the whole wander up to one instant, and slower from there on. It reaches the
 * parabola. */
Test(trace_band, the_worst_clock_between_two_sessions_reaches_the_bound)
{
    const double wander = 10000e-9;
    for (int down = 0; down < 2; down++)
        for (double at = 0.1; at < 0.95; at += 0.1) {
            struct ordo_declared declared = exact(10000);
            forget();
            truth_begin(&trial.truth, 5000000000000, 3000000000000);
            run_both(at * 60, down ? 0 : wander);
            run_both((1 - at) * 60, down ? wander : 0);
            run_both(60, 0);
            meet_exactly(0);
            meet_exactly(60);
            cr_assert_eq(make_band(&declared), ORDO_OK, "%s", trial.error.text);
            struct around reached =
                around(&trial.curve.pieces[1], truth_clock(&trial.truth, (long double)(at * minute_ns)));
            double height = 2 * wander * at * (1 - at) * minute_ns, left = down ? reached.below_ns : reached.above_ns;
            cr_assert(left >= -2 && left < 0.005 * height + 2, "at %g: %g of %g ns are left", at, left, height);
        }
    forget();
}

/* The worst clock for [B4] runs at a constant rate between two sessions. From the last session on its rate is higher by
 * the whole wander, and after a minute the rate grows steadily. */
Test(trace_band, the_worst_clock_after_all_sessions_reaches_the_bound)
{
    const double wander = 10000e-9;
    for (int down = 0; down < 2; down++) {
        struct ordo_declared declared = exact(10000);
        double sign = down ? -1 : 1;
        forget();
        truth_begin(&trial.truth, 5000000000000, 3000000000000);
        run_both(60, 0);
        for (int i = 0; i < 1200; i++)
            run_both(0.1, sign * wander * (1 + 0.1 * i / 60));
        meet_exactly(0);
        meet_exactly(60);
        cr_assert_eq(make_band(&declared), ORDO_OK, "%s", trial.error.text);
        for (double after_s = 1; after_s < 120; after_s += 17) {
            long double at = truth_clock(&trial.truth, (long double)((60 + after_s) * truth_second_ns));
            struct around reached = around(&trial.curve.pieces[2], at);
            double far = 2 * wander * after_s * truth_second_ns, left = down ? reached.below_ns : reached.above_ns;
            cr_assert(left >= -2 && left < 0.01 * far + 2, "%g s after: %g of %g ns are left", after_s, left, far);
        }
    }
    forget();
}

Test(trace_band, the_worst_clock_before_all_sessions_reaches_the_bound)
{
    const double wander = 10000e-9;
    struct ordo_declared declared = exact(10000);
    forget();
    truth_begin(&trial.truth, 5000000000000, 3000000000000);
    for (int i = 0; i < 1200; i++)
        run_both(0.1, wander * (1 + 0.1 * (1199 - i) / 60));
    run_both(60, 0);
    run_both(1, 0);
    meet_exactly(120);
    meet_exactly(180);
    cr_assert_eq(make_band(&declared), ORDO_OK, "%s", trial.error.text);
    for (double before_s = 1; before_s < 120; before_s += 17) {
        long double at = truth_clock(&trial.truth, (long double)((120 - before_s) * truth_second_ns));
        struct around reached = around(&trial.curve.pieces[0], at);
        double far = 2 * wander * before_s * truth_second_ns;
        cr_assert(reached.below_ns >= -2 && reached.below_ns < 0.01 * far + 2, "%g s before: %g of %g ns are left",
                  before_s, reached.below_ns, far);
    }
    forget();
}

/* After a single session, only the declared skew bounds the rate. */
Test(trace_band, the_fastest_clock_after_one_session_reaches_the_bound)
{
    struct ordo_declared declared = exact(100);
    double skew = declared.max_skew_ppb * 1e-9;
    for (int down = 0; down < 2; down++) {
        forget();
        truth_begin(&trial.truth, 5000000000000, 3000000000000);
        run_both(100, down ? -skew : skew);
        meet_exactly(0);
        cr_assert_eq(make_band(&declared), ORDO_OK, "%s", trial.error.text);
        struct around reached = around(&trial.curve.pieces[1], truth_clock(&trial.truth, 90e9L));
        double far = 2 * skew * 90e9, left = down ? reached.below_ns : reached.above_ns;
        cr_assert(left >= -2 && left < 0.002 * far + 2, "%g of %g ns are left", left, far);
    }
    forget();
}

/* [B1] alone: without wander, the rates of a knot follow from the gain between two sessions, including both granules
 * [B7]. */
Test(trace_band, the_rate_without_wander_follows_from_two_sessions)
{
    uint64_t random = 2;
    double widest = 0;
    for (int i = 0; i < 2000; i++) {
        struct truth_exchanges how = {1 + (int)(ordo_random_next(&random) % 5), 5000, 1, 1};
        int64_t *granules_ns[] = {&how.clock_granule_ns, &how.master_granule_ns};
        struct ordo_declared declared = exact(0);
        *granules_ns[i % 2] = 1000000;
        declared.granule_ns = how.clock_granule_ns;
        declared.master_ns = (double)how.master_granule_ns;
        double own = truth_between(&random, -4e-4, 4e-4), other = truth_between(&random, -4e-4, 4e-4);
        forget();
        truth_begin(&trial.truth, 5000000000000, 3000000000000);
        truth_run(&trial.truth, 20e9L, own, other);
        meet(&random, &how, (long double)truth_between(&random, 1e9, 2e9));
        meet(&random, &how, (long double)truth_between(&random, 6e9, 7e9));
        cr_assert_eq(make_band(&declared), ORDO_OK, "trial %d: %s", i, trial.error.text);
        expect_rates(i);
        expect_knots(i);
        widest = fmax(widest, knot(0)->most - knot(0)->least);
    }
    cr_assert_lt(widest, 2.2 * 2 * 1001001 / 4e9); /* in each direction two granules and the delays, divided by 4 s */
    forget();
}

/* [B5], [B6] */
Test(trace_band, global_time_never_runs_backwards)
{
    uint64_t random = 3;
    for (int i = 0; i < 500; i++) {
        struct ordo_declared declared = draw(&random);
        cr_assert_eq(make_band(&declared), ORDO_OK, "trial %d: %s", i, trial.error.text);
        for (int k = 0; k + 1 < trial.sessions; k++) {
            double over = (double)(knot(k + 1)->at_ns - knot(k)->at_ns);
            double gained = (double)(knot(k + 1)->base_ns - knot(k)->base_ns);
            double low = gained + knot(k + 1)->low_ns - knot(k)->low_ns;
            double high = gained + knot(k + 1)->high_ns - knot(k)->high_ns, slack = 1e-15 * over + 1e-3;
            cr_assert(low >= knot(k)->least * over - slack && low <= knot(k)->most * over + slack, "trial %d", i);
            cr_assert(high >= knot(k)->least * over - slack && high <= knot(k)->most * over + slack, "trial %d", i);
        }
        struct ordo_event_stamp before = ordo_curve_at(&trial.curve, knot(0)->at_ns - 100000000000);
        for (int k = 1; k < 400; k++) {
            int64_t span = knot(trial.sessions - 1)->at_ns - knot(0)->at_ns + 200000000000;
            struct ordo_event_stamp now = ordo_curve_at(&trial.curve, knot(0)->at_ns - 100000000000 + span / 400 * k);
            cr_assert(now.earliest_ns >= before.earliest_ns && now.latest_ns >= before.latest_ns, "trial %d", i);
            before = now;
        }
    }
    forget();
}

/* A clock is set by more than its bounds allow. */
Test(trace_band, a_step_between_sessions_is_reported)
{
    uint64_t random = 4;
    for (int i = 0; i < 400; i++) {
        struct ordo_declared declared = draw(&random);
        if (trial.sessions < 3)
            continue;
        double by_ns = (i % 2 ? 1 : -1) * 1e9, limit = ordo_band_limit(&declared);
        int from = trial.fixes.count / 2;
        int64_t session = trial.fixes.all[from].session;
        if ((double)(trial.fixes.all[trial.fixes.count - 1].sent_ns - trial.fixes.all[0].sent_ns) * limit > 4e8)
            continue;
        for (int k = 0; k < trial.fixes.count; k++) {
            struct ordo_fix *fix = &trial.fixes.all[k];
            int64_t step_ns = fix->session >= session && session > 0 ? (int64_t)by_ns : 0;
            *fix = (struct ordo_fix){fix->session, fix->sent_ns + step_ns, fix->received_ns + step_ns,
                                     fix->low_ns + step_ns, fix->high_ns + step_ns};
        }
        if (session == 0)
            continue;
        cr_assert_eq(make_band(&declared), ORDO_E_MEASURE, "trial %d is accepted", i);
        cr_assert(strstr(trial.error.text, "rank 7: "), "%s", trial.error.text);
    }
    forget();
}

/* A session has ten exchanges, 100 ms apart. The clock is set after the fifth. */
Test(trace_band, a_step_within_a_session_is_found)
{
    for (int back = 0; back < 2; back++) {
        struct ordo_declared declared = exact(100);
        long long from_ns, to_ns;
        int64_t times_ns[10];
        forget();
        for (int i = 0; i < 10; i++) {
            int64_t step_ns = i < 5 ? 0 : back ? -5000000 : 5000000;
            times_ns[i] = 7000000000 + 100000000 * i + step_ns;
            struct ordo_fix fix = {0, times_ns[i], times_ns[i], 4000 + step_ns, 4000 + step_ns};
            (void)ordo_fixes_add(&trial.fixes, &fix, NULL);
        }
        trial.sessions = 1;
        cr_assert_eq(make_band(&declared), ORDO_E_MEASURE);
        const char *where = strstr(trial.error.text, "between ");
        cr_assert(where && sscanf(where, "between %lld and %lld ns", &from_ns, &to_ns) == 2, "%s", trial.error.text);
        cr_assert(from_ns == times_ns[4] && to_ns == times_ns[5], "%s", trial.error.text);
        cr_assert(strstr(trial.error.text, back ? "by about -5000000 ns" : "by about 5000000 ns"), "%s",
                  trial.error.text);
    }
    forget();
}

Test(trace_band, an_undeclared_wander_is_refused)
{
    struct ordo_declared declared = exact(1000);
    forget();
    truth_begin(&trial.truth, 5000000000000, 3000000000000);
    for (int i = 0; i < 6; i++)
        run_both(20, i < 3 ? 0 : 2500e-9);
    for (int i = 0; i <= 5; i++)
        meet_exactly(20 * i);
    cr_assert_eq(make_band(&declared), ORDO_E_MEASURE);
    cr_assert(strstr(trial.error.text, "wanders by more than 1000 ppb"), "%s", trial.error.text);
    forget();
}

Test(trace_band, overlapping_sessions_are_refused)
{
    struct ordo_declared declared = exact(100);
    forget();
    truth_begin(&trial.truth, 5000000000000, 3000000000000);
    run_both(100, 0);
    meet_exactly(50);
    meet_exactly(20);
    cr_assert_eq(make_band(&declared), ORDO_E_MEASURE);
    cr_assert(strstr(trial.error.text, "session 1 begins"), "%s", trial.error.text);
    forget();
    for (int i = 0; i < 2; i++) { /* the second session begins before the first one has ended */
        uint64_t random = 0;
        truth_session(&trial.truth, &random, &(struct truth_exchanges){1, 0, 1, 1}, (10 + 10 * i) * 1e9L, i,
                      &trial.fixes);
        truth_session(&trial.truth, &random, &(struct truth_exchanges){1, 0, 1, 1}, (30 + 10 * i) * 1e9L, i,
                      &trial.fixes);
    }
    trial.sessions = 2;
    cr_assert_eq(make_band(&declared), ORDO_E_MEASURE);
    cr_assert(strstr(trial.error.text, "session 1 begins"), "%s", trial.error.text);
    forget();
    cr_assert_eq(make_band(&declared), ORDO_E_MEASURE);
    cr_assert(strstr(trial.error.text, "rank 7: has no session"), "%s", trial.error.text);
}

/* ordo_declared_change: bounds on the change of an offset after a verification that lasted for some time. */
Test(trace_band, the_change_of_an_offset_after_verification_is_bounded)
{
    uint64_t random = 5;
    for (int i = 0; i < 400; i++) {
        struct ordo_declared declared = ordo_declared_defaults();
        declared.max_wander_ppb = pow(10, truth_between(&random, 0, 4));
        truth_draw(&trial.truth, &random, &declared, 900, 1);
        double span = truth_between(&random, 1e8, 300e9), begin = truth_between(&random, 0, 100e9);
        long double from = truth_clock(&trial.truth, (long double)begin);
        long double to = truth_clock(&trial.truth, (long double)(begin + span));
        double drift = (double)((truth_offset(&trial.truth, to) - truth_offset(&trial.truth, from)) / (to - from));
        for (int k = 0; k < 50; k++) {
            double age = truth_between(&random, 1, 400e9);
            double changed =
                (double)(truth_offset(&trial.truth, to + (long double)age) - truth_offset(&trial.truth, to));
            double most = ordo_declared_change(&declared, fabs(drift), (double)(to - from), age);
            cr_assert_leq(fabs(changed), most + rounding_ns, "trial %d: %g of %g ns in %g", i, changed, most, age);
        }
    }
}
