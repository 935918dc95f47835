#include <criterion/criterion.h>

#include "measure/verdict.h"

static struct ordo_visit visit(int64_t at, int64_t low, int64_t high)
{
    return (struct ordo_visit){.delta_ab = high, .delta_ba = -low, .at_ab = (uint64_t)at, .at_ba = (uint64_t)at};
}

Test(verdict, the_offset_is_where_it_was_in_every_round_widened_by_the_granule)
{
    const struct ordo_visit visits[] = {visit(0, -100, 50), visit(1000000, -30, 90)};
    struct ordo_verdict_pair pair = ordo_verdict_of_visits(visits, 2, 10);
    cr_assert_eq(pair.offset.low, -40);
    cr_assert_eq(pair.offset.high, 60);
    cr_assert_eq(pair.certified_units, 110, "and no more is certified than the worst round shows");
    cr_assert(pair.drift.min_ppb < 0 && pair.drift.max_ppb > 0);
    cr_assert(ordo_verdict_agrees(&pair, 10, 100));
    cr_assert(!ordo_verdict_agrees(&pair, 10, 99), "the residual is above granule and tolerance");
}

Test(verdict, an_offset_that_moved_is_that_of_the_last_round_and_drifts)
{
    const struct ordo_visit visits[] = {visit(0, -10, 10), visit(1000000000, 990, 1010)};
    struct ordo_verdict_pair pair = ordo_verdict_of_visits(visits, 2, 1);
    cr_assert_eq(pair.offset.low, 989);
    cr_assert_eq(pair.offset.high, 1011);
    cr_assert(pair.drift.min_ppb <= 1000 && pair.drift.max_ppb >= 1000 && pair.drift.min_ppb > 0);
    cr_assert(!ordo_verdict_agrees(&pair, 1, 1000000));
}

Test(verdict, an_offset_that_comes_back_fits_no_constant_drift)
{
    const struct ordo_visit visits[] = {visit(0, -10, 10), visit(1000000000, 990, 1010), visit(2000000000, -10, 10)};
    struct ordo_verdict_pair pair = ordo_verdict_of_visits(visits, 3, 1);
    cr_assert_gt(pair.drift.min_ppb, pair.drift.max_ppb);
}

Test(verdict, nothing_measured_bounds_nothing)
{
    struct ordo_verdict verdict = ordo_verdict_none(ORDO_REASON_UNSHARED);
    cr_assert_eq(verdict.kind, ORDO_INCONCLUSIVE);
    cr_assert_eq(verdict.residual_units, INT64_MAX);
}

Test(verdict, a_granule_bounds_what_a_reading_lags)
{
    cr_assert_eq(ordo_clock_granule(ordo_clock_source_find("gettimeofday")), 1000);
    cr_assert_eq(ordo_clock_granule(ordo_clock_source_find("realtime_coarse")), 10000000);
    uint64_t granule = ordo_clock_granule(ordo_clock_source_find("monotonic"));
    cr_assert(granule >= 1 && granule < 100000);
}
