/* The scaling model against cases with a known result. */
#include <criterion/criterion.h>
#include <math.h>

#include "model/scaling.h"

static const struct model_costs ordo = {.work_ns = 40,
                                        .flushes_per_op = 0.01,
                                        .transfer_ns = 50,
                                        .clock_ns = 15,
                                        .boundary_ns = 100,
                                        .lines = 7,
                                        .stale = 0.02};
static const struct model_costs logical = {
    .work_ns = 40, .flushes_per_op = 0.01, .transfer_ns = 50, .counter = 1, .lines = 7, .stale = 0.02};

static void expect_near(double value, double expected)
{
    cr_expect(fabs(value - expected) <= 1e-6 * expected, "%.9g, expected %.9g", value, expected);
}

Test(scaling, one_thread_has_the_measured_speed)
{
    expect_near(model_ops_per_s(&ordo, 1), 1e9 / 40);
    expect_near(model_ops_per_s(&logical, 1), 1e9 / 40);
}

Test(scaling, speed_is_linear_without_updates)
{
    struct model_costs reader = logical;
    reader.flushes_per_op = 0;
    reader.stale = 0;
    expect_near(model_ops_per_s(&reader, 240), 240 * 1e9 / 40);
}

/* Every thread takes a new time from the counter at each operation: the counter's cache line is the bottleneck. */
Test(scaling, the_shared_counter_limits_the_speed)
{
    struct model_costs costs = logical;
    costs.flushes_per_op = 1;
    double limit = 1e9 / (2 * costs.transfer_ns);
    costs.stale = 0;
    cr_expect(model_ops_per_s(&costs, 64) < limit);
    costs.work_ns = 1e5; /* the work is long, so no thread queues */
    cr_expect(model_ops_per_s(&costs, 2) > 0.99 * 2e9 / (1e5 + 4 * costs.transfer_ns));
}

Test(scaling, a_longer_boundary_reduces_the_speed)
{
    struct model_costs costs = ordo;
    costs.boundary_ns = 1000;
    cr_expect(model_ops_per_s(&costs, 8) < model_ops_per_s(&ordo, 8));
    costs.boundary_ns = 40; /* the wait for the boundary ends before the flushed lines have been transferred */
    struct model_costs none = ordo;
    none.boundary_ns = 0;
    expect_near(model_ops_per_s(&costs, 8), model_ops_per_s(&none, 8));
}

Test(scaling, the_fitted_model_reproduces_the_measured_time)
{
    struct model_costs costs = logical;
    costs.stale = 0;
    double measured_ns = 2e9 / model_ops_per_s(&costs, 2) + 30;
    costs.stale = model_fit(&costs, measured_ns);
    expect_near(2e9 / model_ops_per_s(&costs, 2), measured_ns);
    cr_expect(model_fit(&costs, 1) < 1e-9, "nothing explains less time than the rest takes");
}
