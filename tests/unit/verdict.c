/* Verdicts from made-up visits, sweeps and warps. The simulated node has four ranks, and the test sets the results of
 * its measurement (CMakeLists.txt wraps the functions that read them). */
#include <criterion/criterion.h>
#include <math.h>

#include "cluster/verify/verdict.h"

enum { RANKS = 4, ROUNDS = 2, SWEEPS_MOST = 8, GRANULE = 10 };

static struct ordo_visit node_visits[RANKS][RANKS][ROUNDS];
static struct ordo_node_sweep sweeps[SWEEPS_MOST];
static struct ordo_node_warp warps[RANKS];
static int sweep_count;
static bool unswept;

int64_t __wrap_ordo_node_granule(const struct ordo_node_plan *plan, const void *segment, int clock)
{
    (void)plan, (void)segment, (void)clock;
    return GRANULE;
}

const struct ordo_visit *__wrap_ordo_node_visits(const struct ordo_node_plan *plan, const void *segment, int clock,
                                                 int a, int b)
{
    (void)plan, (void)segment, (void)clock;
    return node_visits[a][b];
}

int __wrap_ordo_node_sweeps(const struct ordo_node_plan *plan)
{
    (void)plan;
    return sweep_count;
}

struct ordo_node_sweep __wrap_ordo_node_sweep(const struct ordo_node_plan *plan, const void *segment, int clock,
                                              int index)
{
    (void)plan, (void)segment, (void)clock;
    return sweeps[index];
}

bool __wrap_ordo_node_unswept(const void *segment)
{
    (void)segment;
    return unswept;
}

struct ordo_node_warp __wrap_ordo_node_warp(const struct ordo_node_plan *plan, const void *segment, int clock, int rank)
{
    (void)plan, (void)segment, (void)clock;
    return warps[rank];
}

static struct ordo_visit visit(int64_t at, int64_t low, int64_t high)
{
    return (struct ordo_visit){.delta_ab = high, .delta_ba = -low, .at_ab = (uint64_t)at, .at_ba = (uint64_t)at};
}

Test(verdict, the_offset_interval_is_the_intersection_of_all_rounds)
{
    const struct ordo_visit visits[] = {visit(0, -100, 50), visit(1000000, -30, 90)};
    struct ordo_verdict_pair pair = ordo_verdict_of_visits(visits, 2, 10);
    cr_assert_eq(pair.offset.low, -40);
    cr_assert_eq(pair.offset.high, 60);
    cr_assert_eq(pair.certified_units, 110, "the certified residual is that of the worst round");
    cr_assert(pair.drift.min_ppb < 0 && pair.drift.max_ppb > 0);
    cr_assert(ordo_verdict_agrees(&pair, 10, 100));
    cr_assert(!ordo_verdict_agrees(&pair, 10, 99), "the residual is above granule and tolerance");
}

Test(verdict, the_last_round_determines_an_offset_that_moved)
{
    const struct ordo_visit visits[] = {visit(0, -10, 10), visit(1000000000, 990, 1010)};
    struct ordo_verdict_pair pair = ordo_verdict_of_visits(visits, 2, 1);
    cr_assert_eq(pair.offset.low, 989);
    cr_assert_eq(pair.offset.high, 1011);
    cr_assert(pair.drift.min_ppb <= 1000 && pair.drift.max_ppb >= 1000 && pair.drift.min_ppb > 0);
    cr_assert(!ordo_verdict_agrees(&pair, 1, 1000000));
}

Test(verdict, an_offset_that_returns_fits_no_constant_drift)
{
    const struct ordo_visit visits[] = {visit(0, -10, 10), visit(1000000000, 990, 1010), visit(2000000000, -10, 10)};
    struct ordo_verdict_pair pair = ordo_verdict_of_visits(visits, 3, 1);
    cr_assert_gt(pair.drift.min_ppb, pair.drift.max_ppb);
}

Test(verdict, a_verdict_without_measurement_has_no_bound)
{
    struct ordo_verdict verdict = ordo_verdict_none(ORDO_REASON_UNSHARED);
    cr_assert_eq(verdict.kind, ORDO_INCONCLUSIVE);
    cr_assert_eq(verdict.residual_units, INT64_MAX);
}

Test(verdict, a_granule_bounds_the_lag_of_a_reading)
{
    cr_assert_eq(ordo_clock_granule(ordo_clock_source_find("gettimeofday")), 1000);
    cr_assert_eq(ordo_clock_granule(ordo_clock_source_find("realtime_coarse")), 10000000);
    uint64_t granule = ordo_clock_granule(ordo_clock_source_find("monotonic"));
    cr_assert(granule >= 1 && granule < 100000);
}

/* Makes a measurement in which the clocks of every pair differ by at most 100 units in both rounds, and no reading is
 * below an earlier one. */
static void measure(void)
{
    for (int a = 0; a < RANKS; a++) {
        for (int b = a + 1; b < RANKS; b++)
            for (int k = 0; k < ROUNDS; k++)
                node_visits[a][b][k] = visit(k * 1000000000, -100, 100);
        warps[a] = (struct ordo_node_warp){.least_step_units = 5, .before = 0};
    }
    for (int i = 0; i < SWEEPS_MOST; i++)
        sweeps[i] = (struct ordo_node_sweep){0, 1 + (unsigned)i, visit(0, -100, 100)};
    sweep_count = 0;
    unswept = false;
}

static struct ordo_verdict reach(int64_t tolerance_units, int cpus)
{
    struct ordo_node_plan plan = {.size = RANKS, .rounds = ROUNDS, .clock_count = 1, .sweep_count = cpus};
    return ordo_verdict_reach(&plan, NULL, 0, tolerance_units, NULL, NULL);
}

Test(reach, a_common_clock_is_valid_up_to_its_residual, .init = measure)
{
    struct ordo_verdict verdict = reach(100, 0);
    cr_assert(verdict.kind == ORDO_VALID && verdict.reasons == 0);
    cr_assert_eq(verdict.residual_units, 100 + GRANULE);
    cr_assert(verdict.drift.min_ppb < 0 && verdict.drift.max_ppb > 0 && verdict.drift.max_ppb < 1000);
    verdict = reach(99, 0);
    cr_assert(verdict.kind == ORDO_INCONCLUSIVE && verdict.reasons == ORDO_REASON_WIDE);
    node_visits[1][3][1].delta_ab = 150;
    cr_assert_eq(reach(150, 0).residual_units, 150 + GRANULE, "the residual is the largest of any pair and round");
}

Test(reach, an_offset_of_either_sign_is_proved_beyond_the_granule, .init = measure)
{
    for (int sign = -1; sign <= 1; sign += 2)
        for (int64_t off = GRANULE; off <= GRANULE + 1; off++) {
            for (int k = 0; k < ROUNDS; k++)
                node_visits[0][2][k] =
                    visit(k * 1000000000, sign * off - (sign < 0 ? 5 : 0), sign * off + (sign > 0 ? 5 : 0));
            struct ordo_verdict verdict = reach(1000, 0);
            cr_assert_eq(verdict.kind, off > GRANULE ? ORDO_INVALID : ORDO_VALID);
            cr_assert_eq(verdict.reasons, off > GRANULE ? ORDO_REASON_OFFSET : 0);
            cr_assert(off == GRANULE || verdict.worst.b == 2, "the proof is the worst pair, not the widest");
        }
}

Test(reach, a_drift_and_a_change_of_rate_are_proved, .init = measure)
{
    node_visits[1][2][1] = visit(1000000000, 1000, 1100);
    struct ordo_verdict verdict = reach(5000, 0);
    cr_assert_eq(verdict.kind, ORDO_INVALID);
    cr_assert_eq(verdict.reasons, ORDO_REASON_DRIFT | ORDO_REASON_OFFSET, "the last round proves an offset as well");
    cr_assert_lt(verdict.drift.max_ppb, 2000);
    cr_assert_gt(verdict.drift.max_ppb, 1000);
    for (int k = 0; k < ROUNDS;
         k++) /* the two directions are measured at different instants: first the offset is above 0, later below */
        node_visits[1][2][k] = (struct ordo_visit){.delta_ab = -500, .delta_ba = -500, .at_ab = 0, .at_ba = 1000000000};
    node_visits[1][2][1].at_ab = 2000000000;
    verdict = reach(5000, 0);
    cr_assert(verdict.reasons & ORDO_REASON_BENDS);
    cr_assert_eq(verdict.kind, ORDO_INVALID);
}

Test(reach, a_decrease_beyond_the_granule_is_a_warp, .init = measure)
{
    warps[2] = (struct ordo_node_warp){.least_step_units = -GRANULE, .before = 1};
    cr_assert_eq(reach(100, 0).kind, ORDO_VALID);
    warps[2].least_step_units--;
    struct ordo_verdict verdict = reach(100, 0);
    cr_assert(verdict.kind == ORDO_INVALID && verdict.reasons == ORDO_REASON_WARP);
    cr_assert(verdict.warp_rank == 2 && verdict.warp.before == 1);
}

Test(reach, the_verdict_on_a_backward_clock_has_one_reason, .init = measure)
{
    warps[1] = (struct ordo_node_warp){.least_step_units = -500, .back_units = 1, .before = 3};
    struct ordo_verdict verdict = reach(100, 0);
    cr_assert(verdict.kind == ORDO_INVALID && verdict.reasons == ORDO_REASON_BACKWARDS);
    cr_assert_eq(verdict.warp.back_units, 1);
}

Test(reach, a_sweep_of_cpus_alone_can_refute_a_clock, .init = measure)
{
    sweep_count = 1;
    sweeps[0].visit = visit(0, 20, 30);
    struct ordo_verdict verdict = reach(100, 2);
    cr_assert(verdict.kind == ORDO_INVALID && verdict.reasons == ORDO_REASON_SWEEP);
    for (int k = 0; k < ROUNDS; k++)
        node_visits[0][1][k] = visit(k * 1000000000, 20, 30);
    cr_assert_eq(reach(100, 2).reasons, ORDO_REASON_OFFSET, "the contribution of the CPUs is unknown");
}

/* If all pairs are visited, each pair has its own bound. If only a star is visited, two of its points differ by at most
 * the sum of their bounds. */
Test(reach, the_residual_covers_all_cpus_of_the_ranks, .init = measure)
{
    sweep_count = 3;
    sweeps[2].visit = visit(0, -190, 190);
    cr_assert_eq(reach(1000, 3).residual_units, 200);
    cr_assert_eq(reach(1000, 4).residual_units, 400);
    sweep_count = 1;
    sweeps[0].visit = visit(0, -190, 190);
    cr_assert_eq(reach(1000, 2).residual_units, 200);
}

Test(reach, an_unmeasured_pair_is_not_valid, .init = measure)
{
    unswept = true;
    struct ordo_verdict verdict = reach(100, 0);
    cr_assert(verdict.kind == ORDO_INCONCLUSIVE && verdict.reasons == ORDO_REASON_UNSWEPT);
}

Test(verdict, a_refuted_pair_never_agrees)
{
    const struct ordo_verdict_pair good = {.offset = {-5, 5}, .drift = {-1, 1}, .certified_units = 5};
    cr_assert(ordo_verdict_agrees(&good, 0, 5));
    struct ordo_verdict_pair pairs[] = {good, good, good, good};
    pairs[0].offset.low = 1;
    pairs[1].offset.high = -1;
    pairs[2].drift.min_ppb = 0.5;
    pairs[3].drift.max_ppb = -0.5;
    for (int i = 0; i < 4; i++)
        cr_assert(!ordo_verdict_agrees(&pairs[i], 0, 1000), "%d", i);
}

Test(verdict, the_largest_drift_of_either_sign_counts)
{
    cr_assert_eq(ordo_drift_most_ppb((struct ordo_drift){-7, 3}), 7);
    cr_assert_eq(ordo_drift_most_ppb((struct ordo_drift){-1, 3}), 3);
    cr_assert_eq(ordo_drift_most_ppb((struct ordo_drift){-INFINITY, INFINITY}), 1e9);
}
