/* The drift of the clocks of a simulated cluster, whose rates are known. */
#include <criterion/criterion.h>
#include <math.h>

#include "cluster/sync/drift.h"
#include "cluster/transport/sim.h"

enum { RANKS = 4, COUNT = 101 };

/** One measurement each second, and the true offsets. */
struct drift {
    struct ordo_drift_point points[COUNT][RANKS];
    int64_t truth_ns[2][RANKS]; /* offsets at the first and at the last measurement */
};

static int sample(struct ordo_transport *world, void *context)
{
    struct drift *drift = context;
    int code = ORDO_OK;
    for (int i = 0; i < COUNT && !code; i++) {
        int64_t at_ns = i * INT64_C(1000000000);
        ordo_sim_sleep_until(world, at_ns);
        code = ordo_sync_offsets(world, 20, world->rank ? NULL : drift->points[i]);
        if (i == 0 || i == COUNT - 1)
            drift->truth_ns[i > 0][world->rank] =
                ordo_sim_clock_ns(world, world->rank, at_ns) - ordo_sim_clock_ns(world, 0, at_ns);
    }
    return code;
}

static void measure_drift(double wander_ppb, struct drift *drift)
{
    struct ordo_sim_options options = ordo_sim_defaults();
    struct ordo_sim_result result;
    options.ranks = RANKS;
    options.ranks_per_socket = options.sockets_per_node = 1;
    options.skew_ppb = 1000;
    options.wander_ppb = wander_ppb;
    options.wander_period_s = 100;
    cr_assert_eq(ordo_sim_run(&options, sample, drift, &result, NULL), 0);
}

Test(drift, the_offset_of_each_rank_is_its_clock_minus_that_of_rank_0)
{
    static struct drift drift;
    measure_drift(0, &drift);
    for (int rank = 1; rank < RANKS; rank++) {
        cr_assert_float_eq((double)drift.points[0][rank].offset_ns, (double)drift.truth_ns[0][rank], 1000);
        cr_assert(drift.points[0][rank].low_ns <= drift.truth_ns[0][rank] + 100);
        cr_assert(drift.points[0][rank].high_ns >= drift.truth_ns[0][rank] - 100);
    }
    cr_assert_eq(drift.points[0][0].offset_ns, 0);
}

Test(drift, a_line_has_the_rate_of_a_steady_clock)
{
    static struct drift drift;
    struct ordo_drift_line line;
    measure_drift(0, &drift);
    for (int rank = 1; rank < RANKS; rank++) {
        double rate_ppb = (double)(drift.truth_ns[1][rank] - drift.truth_ns[0][rank]) / (COUNT - 1);
        cr_assert_eq(ordo_drift_fit(&drift.points[0][rank], COUNT, RANKS, INFINITY, &line), 0);
        cr_assert_eq(line.points, COUNT);
        cr_assert_float_eq(line.slope_ppb, rate_ppb, 1, "rank %d: %g, not %g", rank, line.slope_ppb, rate_ppb);
        cr_assert_gt(line.r_squared, 0.999);
        cr_assert_lt(line.residual_ns, 500);
    }
}

Test(drift, a_clock_that_wanders_is_linear_for_a_short_time_only)
{
    static struct drift drift;
    struct ordo_drift_line whole, first;
    measure_drift(2000, &drift);
    for (int rank = 1; rank < RANKS; rank++) {
        cr_assert_eq(ordo_drift_fit(&drift.points[0][rank], COUNT, RANKS, INFINITY, &whole), 0);
        cr_assert_eq(ordo_drift_fit(&drift.points[0][rank], COUNT, RANKS, 10, &first), 0);
        cr_assert_eq(first.points, 11);
        cr_assert_gt(whole.residual_ns, 5 * first.residual_ns);
    }
}

Test(drift, one_point_has_no_slope_and_two_are_no_proof_of_a_line)
{
    const struct ordo_drift_point points[] = {{.at_ns = 0, .offset_ns = 5}, {.at_ns = 1000000000, .offset_ns = 9}};
    struct ordo_drift_line line;
    cr_assert_eq(ordo_drift_fit(points, 2, 1, INFINITY, &line), 0);
    cr_assert_float_eq(line.slope_ppb, 4, 1e-9);
    cr_assert(isnan(line.r_squared));
    cr_assert_eq(ordo_drift_fit(points, 1, 1, INFINITY, &line), 0);
    cr_assert(isnan(line.slope_ppb) && isnan(line.r_squared));
}

Test(drift, equal_offsets_have_no_share_of_a_variance)
{
    const struct ordo_drift_point points[] = {{.at_ns = 0, .offset_ns = 5}, {.at_ns = 1000000000, .offset_ns = 5}};
    struct ordo_drift_line line;
    cr_assert_eq(ordo_drift_fit(points, 2, 1, INFINITY, &line), 0);
    cr_assert(isnan(line.r_squared));
    cr_assert_float_eq(line.offset_ns, 5, 1e-9);
    cr_assert_float_eq(line.slope_ppb, 0, 1e-9);
}
