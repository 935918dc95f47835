/* A visit on simulated clocks, which step at a chosen reading. The readings of a visit never overlap, so one counter is
 * the true time of both sides: each message takes LATENCY ticks, wherever the threads run. */
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <ordo/start/pair.h>

#include "calibrate/bound/boundary.h"

enum { LATENCY = 100, GRANULE = 1, SWEEPS = 2, STEP = 3 * LATENCY / 2 };

static uint64_t readings, step_at, back_at, slow_from, slow_to;
static int64_t step_ticks;
static __thread int is_b;

static uint64_t read_clock(void)
{
    uint64_t n = __atomic_add_fetch(&readings, 1, __ATOMIC_RELAXED), now = n * LATENCY;
    if (n >= slow_from)
        now += (n < slow_to ? n - slow_from : slow_to - slow_from) * LATENCY;
    return now + (uint64_t)(is_b && n >= step_at && n < back_at ? step_ticks : 0);
}

struct visiting {
    struct ordo_pair pair;
    struct ordo_pair_runs runs;
    int code_b;
};

static void *side_b(void *argument)
{
    struct visiting *visiting = argument;
    is_b = 1;
    visiting->code_b = ordo_pair_side_b(&visiting->pair, visiting->runs, read_clock);
    return NULL;
}

/* Runs a visit. Returns its number of readings. */
static uint64_t visit(struct visiting *visiting, struct ordo_pair_runs runs)
{
    pthread_t thread;
    uint64_t before = readings;
    memset(visiting, 0, sizeof *visiting);
    visiting->runs = runs;
    cr_assert_eq(pthread_create(&thread, NULL, side_b, visiting), 0);
    int code = ordo_pair_side_a(&visiting->pair, runs, read_clock);
    (void)pthread_join(thread, NULL);
    cr_assert_eq(code, ORDO_OK);
    cr_assert_eq(visiting->code_b, ORDO_OK);
    return readings - before;
}

static void quiet(void)
{
    readings = 1000;
    step_at = back_at = slow_from = slow_to = UINT64_MAX;
}

Test(pair, the_measured_delta_of_agreeing_clocks_is_the_latency, .init = quiet)
{
    static const uint64_t runs[] = {1, 2, 30, 2 * ORDO_PAIR_SHORT, 2 * ORDO_PAIR_SHORT + 1, 1000, 5000};
    static struct visiting one;
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        uint64_t ending = runs[i] > 2 * ORDO_PAIR_SHORT ? ORDO_PAIR_SHORT : 0;
        cr_assert_eq(visit(&one, (struct ordo_pair_runs){runs[i], 0}), 4 * (runs[i] + ending), "%d runs", (int)runs[i]);
        cr_assert_eq(one.pair.runs_ab, runs[i]);
        cr_assert_eq(one.pair.runs_ba, runs[i]);
        cr_assert_eq(one.pair.visit.delta_ab, LATENCY);
        cr_assert_eq(one.pair.visit.delta_ba, LATENCY);
        cr_assert_eq(one.pair.visit.ceiling_ab, LATENCY);
        cr_assert_eq(one.pair.visit.ceiling_ba, LATENCY);
    }
}

Test(pair, a_measurement_ends_when_its_minimum_has_settled, .init = quiet)
{
    static struct visiting one;
    visit(&one, (struct ordo_pair_runs){100000, 700});
    cr_assert_eq(one.pair.runs_ab, 701, "%d", (int)one.pair.runs_ab);
    cr_assert_eq(one.pair.runs_ba, 701);
    cr_assert_eq(one.pair.visit.ceiling_ab, LATENCY);
    cr_assert_eq(one.pair.visit.ceiling_ba, LATENCY);
}

/* Returns the boundary that follows from an undisturbed visit and then `last`; 0: refused. */
static uint64_t boundary_with(const struct ordo_visit *last)
{
    struct ordo_calibration *result = ordo_calibration_new(2);
    struct ordo_visit visits[SWEEPS * 4] = {{0}};
    struct ordo_error error;
    result->cpus[1] = 1;
    result->repeats = SWEEPS;
    result->granule_ticks = result->step_ticks = GRANULE;
    result->tick_hz = 1e9;
    visits[1] = ordo_visit_plain(LATENCY, LATENCY, 1000, 1000);
    visits[4 + 1] = *last;
    uint64_t boundary = ordo_boundary_compute(result, visits, SWEEPS, &error) ? 0 : result->boundary_ticks;
    ordo_calibration_free(result);
    return boundary;
}

/* The clock steps, in either direction, anywhere in the last visit before its last short blocks (P2 in pair.h): the
 * boundary contains the step, or the calibration is refused. */
Test(pair, the_boundary_covers_a_step_before_the_last_short_blocks, .init = quiet)
{
    static struct visiting one;
    const struct ordo_pair_runs runs = {1500, 0};
    uint64_t length = visit(&one, runs), window = 2 * 2 * ORDO_PAIR_SHORT;
    for (step_ticks = -STEP; step_ticks <= STEP; step_ticks += 2 * STEP)
        for (uint64_t at = 1; at <= length - window; at += ORDO_TESTS_BRIEF ? 997 : 193) {
            step_at = readings + at;
            visit(&one, runs);
            uint64_t boundary = boundary_with(&one.pair.visit);
            cr_assert(boundary == 0 || boundary >= STEP, "a step of %d at reading %d of %d: boundary %d",
                      (int)step_ticks, (int)at, (int)length, (int)boundary);
        }
}

/* A step in the remaining window of P3 is not seen, because no reading follows in the direction that the step makes
 * longer. */
Test(pair, a_step_within_the_last_reading_is_not_seen, .init = quiet)
{
    static struct visiting one;
    const struct ordo_pair_runs runs = {1500, 0};
    uint64_t length = visit(&one, runs);
    step_ticks = STEP;
    step_at = readings + length;
    visit(&one, runs);
    cr_assert_lt(boundary_with(&one.pair.visit), STEP);
}

/* A clock steps, and steps back later in the visit, with at least a whole block between. */
Test(pair, the_boundary_covers_a_step_that_is_later_undone, .init = quiet)
{
    static struct visiting one;
    const struct ordo_pair_runs runs = {2048, 0};
    visit(&one, runs);
    for (step_ticks = -STEP; step_ticks <= STEP; step_ticks += 2 * STEP) {
        step_at = readings + 500;
        back_at = step_at + 2 * 4 * ORDO_PAIR_LONG;
        visit(&one, runs);
        uint64_t boundary = boundary_with(&one.pair.visit);
        cr_assert(boundary == 0 || boundary >= STEP, "a step of %d: boundary %d", (int)step_ticks, (int)boundary);
    }
}

/* Disturbed short blocks are repeated, and the last one counts. */
Test(pair, disturbed_short_blocks_are_repeated, .init = quiet)
{
    static struct visiting one;
    const struct ordo_pair_runs runs = {1500, 0};
    uint64_t length = visit(&one, runs);
    slow_from = readings + length - 3 * ORDO_PAIR_SHORT;
    slow_to = slow_from + 8 * ORDO_PAIR_SHORT;
    cr_assert_gt(visit(&one, runs), length);
    cr_assert_eq(one.pair.visit.ceiling_ab, LATENCY);
    cr_assert_eq(one.pair.visit.ceiling_ba, LATENCY);
    slow_from = readings + length - 4 * ORDO_PAIR_SHORT + 1;
    slow_to = slow_from + 1000000;
    cr_assert_eq(visit(&one, runs), length + 4 * ORDO_PAIR_SHORT * (ORDO_PAIR_ENDINGS - 1), "the repeats are limited");
    cr_assert_eq(one.pair.visit.ceiling_ab, 2 * LATENCY);
}

Test(pair, a_side_gives_up_if_the_other_side_is_silent, .init = quiet)
{
    static struct ordo_pair pair;
    pair.patience_ns = 1000000;
    cr_assert_eq(ordo_pair_side_a(&pair, (struct ordo_pair_runs){1000, 0}, read_clock), ORDO_E_MEASURE);
    cr_assert_eq(ordo_pair_side_b(&pair, (struct ordo_pair_runs){1000, 0}, read_clock), ORDO_E_MEASURE);
}
