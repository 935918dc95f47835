/* The boundary, and the refusals, that follow from made-up visits. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/bound/boundary.h"
#include "machine/topology/topology.h"

enum { SWEEPS = 3, MOST = 5 };

static struct ordo_calibration *result;
static struct ordo_visit visits[SWEEPS][MOST][MOST];
static int cpus;
static struct ordo_error error;

/* Makes the clocks of CPUs 10, 11, ... ahead by offset[c] and fast by ppm[c], with 100 + 10 a + b ticks of latency each
 * way. */
static void make(int count, const int64_t *offset, const double *ppm)
{
    cpus = count;
    result = ordo_calibration_new(count);
    result->granule_ticks = 2;
    result->step_ticks = 2;
    result->tick_hz = 1e9;
    result->repeats = SWEEPS;
    memset(visits, 0, sizeof visits);
    for (int c = 0; c < count; c++)
        result->cpus[c] = 10 + (unsigned)c;
    for (int k = 0; k < SWEEPS; k++)
        for (int a = 0; a < count; a++)
            for (int b = a + 1; b < count; b++) {
                uint64_t at = (uint64_t)k * 1000000000u + 1000;
                int64_t theta = offset[b] - offset[a] + (int64_t)((double)at * (ppm[b] - ppm[a]) * 1e-6);
                visits[k][a][b] =
                    (struct ordo_visit){theta + 100 + 10 * a + b, -theta + 100 + 10 * a + b, at, at, 0, 0};
            }
}

/* Copies the visits into `flat`, with absolute ceilings. In `visits` a ceiling is relative to its delta, and 0 for a
 * visit without blocks. */
static void flatten(struct ordo_visit *flat)
{
    for (int k = 0; k < SWEEPS; k++)
        for (int a = 0; a < cpus; a++)
            for (int b = a + 1; b < cpus; b++) {
                struct ordo_visit *visit = &flat[(k * cpus + a) * cpus + b];
                *visit = visits[k][a][b];
                visit->ceiling_ab += visit->delta_ab;
                visit->ceiling_ba += visit->delta_ba;
            }
}

static int compute(void)
{
    struct ordo_visit *flat = calloc((size_t)(SWEEPS * cpus * cpus), sizeof *flat);
    flatten(flat);
    memset(&error, 0, sizeof error);
    int code = ordo_boundary_compute(result, flat, SWEEPS, &error);
    free(flat);
    return code;
}

static void drop(void)
{
    ordo_calibration_free(result);
}

static const int64_t no_offset[MOST] = {0};
static const double no_drift[MOST] = {0};

Test(boundary, the_boundary_is_the_largest_delta_plus_granule_plus_margin, .fini = drop)
{
    make(3, no_offset, no_drift);
    result->margin_ticks = 1000;
    cr_assert_eq(compute(), ORDO_OK, "%s", error.text);
    cr_assert_eq(result->largest_delta_ticks, 112);
    cr_assert_eq(result->boundary_ticks, 112 + 2 + 1000);
    cr_assert_eq(result->delta_ticks[1 * 3 + 1], ORDO_DELTA_NONE);
}

/* The two directions count separately: here their minimum is negative, and would hide the skew. */
Test(boundary, the_boundary_covers_a_skew_of_either_sign, .fini = drop)
{
    for (int64_t skew = -100000; skew <= 100000; skew += 200000) {
        int64_t offset[MOST] = {0, skew};
        make(2, offset, no_drift);
        cr_assert_eq(compute(), ORDO_OK, "%s", error.text);
        cr_assert_geq(result->boundary_ticks, 100000u);
        cr_assert_leq(result->offset_ticks[1].low, skew);
        cr_assert_geq(result->offset_ticks[1].high, skew);
        cr_assert_eq(result->offset_ticks[2].low, -result->offset_ticks[1].high);
        int a = -1, b = -1;
        cr_assert_gt(ordo_calibration_worst_offset(result, &a, &b), 99000);
        cr_assert_eq(skew > 0 ? b : a, 1, "the CPU that is ahead is named");
        if (skew < 0)
            drop();
    }
}

Test(boundary, repeats_raise_the_delta_but_narrow_the_offset_interval, .fini = drop)
{
    make(2, no_offset, no_drift);
    visits[1][0][1].delta_ab += 400;
    visits[2][0][1].delta_ba -= 50;
    cr_assert_eq(compute(), ORDO_OK, "%s", error.text);
    cr_assert_eq(result->delta_ticks[1], 501);
    cr_assert_eq(result->offset_ticks[1].high, 101);
    cr_assert_eq(result->offset_ticks[1].low, -51);
    visits[1][0][1].delta_ba += 700;
    cr_assert_eq(compute(), ORDO_OK, "%s", error.text);
    cr_assert_eq(result->delta_ticks[2], 801, "the way back counts as well");
    cr_assert_eq(result->boundary_ticks, 801 + 2);
}

/* CPU 11 jumps ahead by 150 ticks, which is between one and two latencies, in the middle of the last visit. The
 * smallest deltas of the two directions then belong to different offsets, and only the ceilings show the step. */
Test(boundary, the_boundary_covers_a_step_within_the_last_visit, .fini = drop)
{
    make(2, no_offset, no_drift);
    visits[SWEEPS - 1][0][1].delta_ba -= 150;
    visits[SWEEPS - 1][0][1].ceiling_ba += 150;
    visits[SWEEPS - 1][0][1].ceiling_ab += 150;
    cr_assert_eq(compute(), ORDO_OK, "%s", error.text);
    cr_assert_geq(result->boundary_ticks, 150u);
    cr_assert_eq(result->delta_ticks[1], 101 + 150);
    cr_assert_eq(result->delta_ticks[2], 101);
    cr_assert_eq(result->offset_ticks[1].high, 101, "the smallest deltas bound the offset");
}

Test(boundary, a_refusal_of_drift_names_the_pair_and_rate, .fini = drop)
{
    double ppm[MOST] = {0, 50};
    make(2, no_offset, ppm);
    cr_assert_eq(compute(), ORDO_E_REFUTED);
    cr_assert(strstr(error.text, "cpu 11 drifts against cpu 10 by 50.0 ppm"), "%s", error.text);
    cr_assert_null(strstr(error.text, "every drifting pair"), "of two CPUs neither can be singled out");
}

Test(boundary, a_refusal_singles_out_the_only_drifting_cpu, .fini = drop)
{
    double ppm[MOST] = {0, 0, -20, 0, 0};
    make(5, no_offset, ppm);
    cr_assert_eq(compute(), ORDO_E_REFUTED);
    cr_assert(strstr(error.text, "every drifting pair has cpu 12 in it"), "%s", error.text);
}

Test(boundary, a_refusal_singles_out_no_cpu_if_two_drift, .fini = drop)
{
    double ppm[MOST] = {0, 30, -20, 0, 0};
    make(5, no_offset, ppm);
    cr_assert_eq(compute(), ORDO_E_REFUTED);
    cr_assert_null(strstr(error.text, "every drifting pair"), "%s", error.text);
}

/* Three CPUs with different rates: every pair drifts, and each CPU is in only two of the three pairs. */
Test(boundary, a_refusal_singles_out_only_a_cpu_of_every_drifting_pair, .fini = drop)
{
    double ppm[MOST] = {0, 30, -20};
    make(3, no_offset, ppm);
    cr_assert_eq(compute(), ORDO_E_REFUTED);
    cr_assert_null(strstr(error.text, "every drifting pair"), "%s", error.text);
}

Test(boundary, the_drift_interval_of_steady_clocks_contains_zero, .fini = drop)
{
    make(3, no_offset, no_drift);
    cr_assert_eq(compute(), ORDO_OK, "%s", error.text);
    cr_assert_lt(result->drift_min_ppb, 0);
    cr_assert_gt(result->drift_max_ppb, 0);
    cr_assert_lt(result->drift_max_ppb, 1000);
}

Test(boundary, a_message_from_the_future_is_refused, .fini = drop)
{
    make(2, no_offset, no_drift);
    for (int k = 0; k < SWEEPS; k++)
        visits[k][0][1].delta_ab = -300;
    cr_assert_eq(compute(), ORDO_E_REFUTED);
    cr_assert(strstr(error.text, "before it was sent"), "%s", error.text);
}

Test(boundary, a_message_from_the_future_is_tolerated_within_one_step, .fini = drop)
{
    make(2, no_offset, no_drift);
    result->granule_ticks = 26;
    result->step_ticks = 26;
    for (int k = 0; k < SWEEPS; k++) {
        visits[k][0][1].delta_ab = 10;
        visits[k][0][1].delta_ba = -30;
    }
    cr_assert_eq(compute(), ORDO_OK, "%s", error.text);
    cr_assert_eq(result->boundary_ticks, 36);
}

Test(boundary, clocks_whose_difference_may_have_wrapped_are_refused, .fini = drop)
{
    static const int64_t far[] = {(INT64_C(1) << 61) + 1, INT64_C(3) << 61, INT64_MAX - 200, -(INT64_C(1) << 61) - 1,
                                  INT64_MIN + 200};
    for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
        make(2, (int64_t[]){0, 0}, (double[]){0, 0});
        for (int k = 0; k < SWEEPS; k++) {
            visits[k][0][1].delta_ab += far[i];
            visits[k][0][1].delta_ba -= far[i];
        }
        cr_expect_eq(compute(), ORDO_E_REFUTED, "%lld", (long long)far[i]);
        cr_expect(strstr(error.text, "2^61"), "%s", error.text);
        drop();
    }
    make(2, (int64_t[]){0, INT64_C(1) << 60}, (double[]){0, 0});
    cr_expect_eq(compute(), ORDO_OK, "%s", error.text);
    cr_expect_geq(result->boundary_ticks, UINT64_C(1) << 60);
}

Test(boundary, a_boundary_of_zero_is_refused, .fini = drop)
{
    make(2, no_offset, no_drift);
    result->granule_ticks = 0;
    for (int k = 0; k < SWEEPS; k++)
        visits[k][0][1].delta_ab = visits[k][0][1].delta_ba = 0;
    cr_assert_eq(compute(), ORDO_E_REFUTED);
    cr_assert(strstr(error.text, "boundary would be 0"), "%s", error.text);
}

Test(boundary, a_clock_that_moved_between_the_sweeps_is_refused, .fini = drop)
{
    make(2, no_offset, no_drift);
    visits[1][0][1].delta_ab += 5000;
    visits[1][0][1].delta_ba -= 5000;
    cr_assert_eq(compute(), ORDO_E_REFUTED);
    cr_assert(strstr(error.text, "a clock was moved"), "%s", error.text);
}

Test(boundary, the_boundary_of_one_cpu_is_the_granule, .fini = drop)
{
    make(1, no_offset, no_drift);
    cr_assert_eq(compute(), ORDO_OK, "%s", error.text);
    cr_assert_eq(result->boundary_ticks, 2);
}

/* --- implausible results, which a disturbance probably caused */

static int doubt(void)
{
    struct ordo_visit flat[SWEEPS * MOST * MOST] = {{0}};
    flatten(flat);
    cr_assert_eq(compute(), ORDO_OK, "%s", error.text);
    return ordo_boundary_doubt(result, flat, SWEEPS, &error);
}

Test(boundary, a_boundary_is_plausible_if_the_repeats_agree, .fini = drop)
{
    static const int64_t offset[MOST] = {0, 5000, -3000};
    make(3, offset, no_drift);
    visits[1][0][1].delta_ab += 9 * 101; /* the latency becomes 10 times as large */
    result->margin_ticks = 1000000000;
    cr_assert_eq(doubt(), ORDO_OK, "%s", error.text);
}

Test(boundary, a_boundary_is_implausible_if_the_repeats_differ_tenfold, .fini = drop)
{
    make(3, no_offset, no_drift);
    visits[2][1][2].delta_ba += 9 * 112 + 10;
    cr_assert_eq(doubt(), ORDO_E_MEASURE);
    cr_assert(strstr(error.text, "cpu 12 to cpu 11: at best 112 ticks at one time and 1130 at another"), "%s",
              error.text);
    cr_assert(strstr(error.text, "--force"), "%s", error.text);
}

Test(boundary, a_boundary_is_implausible_if_blocks_of_a_visit_differ_tenfold, .fini = drop)
{
    make(3, no_offset, no_drift);
    visits[2][1][2].ceiling_ab = 9 * 112 + 10;
    cr_assert_eq(doubt(), ORDO_E_MEASURE);
    cr_assert(strstr(error.text, "cpu 11 to cpu 12: at best 112 ticks at one time and 1130 at another"), "%s",
              error.text);
}

Test(boundary, a_boundary_is_implausible_above_10_us_in_one_package, .fini = drop)
{
    static const int64_t apart[MOST] = {0, 9890};
    make(2, apart, no_drift);
    cr_assert_eq(doubt(), ORDO_OK, "%s", error.text); /* 9890 + 101 + granule */
    drop();
    static const int64_t farther[MOST] = {0, 9900};
    make(2, farther, no_drift);
    cr_assert_eq(doubt(), ORDO_E_MEASURE);
    cr_assert(strstr(error.text, "10003 ticks (10.0 us)"), "%s", error.text);
    memset(result->share, ORDO_DISTANCE_MACHINE, 4);
    cr_assert_eq(doubt(), ORDO_OK, "%s", error.text);
}
