#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "base/allan.h"
#include "base/random.h"
#include "base/spread.h"

enum { VALUES = 20000, APART_NS = 1000000 };

static double lead_ns[VALUES];
static struct ordo_phase phase = {lead_ns, VALUES, APART_NS};

/* Draws a number of variance 1 (Box and Muller). */
static double normal(uint64_t *state)
{
    double radius = sqrt(-2 * log(1 - ordo_random_unit(state)));
    return radius * cos(2 * acos(-1) * ordo_random_unit(state));
}

static void expect(double found, double expected, double share, const char *what, size_t step)
{
    cr_assert(fabs(found - expected) <= share * expected, "%s over %zu: %g, expected %g", what, step, found, expected);
}

Test(stability, a_constant_rate_is_perfectly_stable)
{
    for (int i = 0; i < VALUES; i++)
        lead_ns[i] = 1e6 - 50.0 * i;
    for (size_t step = 1; 3 * step <= VALUES; step *= 2) {
        cr_assert_lt(ordo_allan_deviation(&phase, step), 1e-15);
        cr_assert_lt(ordo_time_deviation_ns(&phase, step), 1e-6);
    }
}

/* The rate grows by D in each unit of time, so the lead is D t^2 / 2. Closed forms: Allan deviation D t / sqrt(2), time
 * deviation D t^2 / sqrt(6). */
Test(stability, the_deviation_of_a_growing_rate_is_exact)
{
    const double per_ns = 1e-15;
    for (int i = 0; i < VALUES; i++)
        lead_ns[i] = per_ns / 2 * pow((double)i * APART_NS, 2);
    for (size_t step = 1; step <= 4096; step *= 4) {
        double span_ns = (double)step * APART_NS;
        expect(ordo_allan_deviation(&phase, step), per_ns * span_ns / sqrt(2), 1e-3, "allan", step);
        expect(ordo_time_deviation_ns(&phase, step), per_ns * span_ns * span_ns / sqrt(6), 1e-3, "tdev", step);
    }
}

/* White phase noise with standard deviation s: the Allan deviation is sqrt(3) s / t, and the time deviation s /
 * sqrt(number of values in the mean). */
Test(stability, the_deviation_of_white_noise_falls_with_the_span)
{
    uint64_t state = 1;
    for (int i = 0; i < VALUES; i++)
        lead_ns[i] = 30 * normal(&state);
    for (size_t step = 1; step <= 256; step *= 4) {
        expect(ordo_allan_deviation(&phase, step), sqrt(3) * 30 / ((double)step * APART_NS), 0.05, "allan", step);
        expect(ordo_time_deviation_ns(&phase, step), 30 / sqrt((double)step), 0.25, "tdev", step);
    }
}

/* The lead is a random walk with steps of standard deviation s, one in each interval T: the Allan deviation is s /
 * sqrt(t T). */
Test(stability, a_random_walks_deviation_falls_with_the_root_of_span)
{
    uint64_t state = 2;
    lead_ns[0] = 0;
    for (int i = 1; i < VALUES; i++)
        lead_ns[i] = lead_ns[i - 1] + 7 * normal(&state);
    for (size_t step = 1; step <= 64; step *= 4)
        expect(ordo_allan_deviation(&phase, step), 7 / (APART_NS * sqrt((double)step)), 0.1, "allan", step);
}

Test(stability, the_time_deviation_follows_its_definition)
{
    enum { FEW = 40, STEP = 5 };
    uint64_t state = 3;
    for (int i = 0; i < FEW; i++)
        lead_ns[i] = 100 * ordo_random_unit(&state);
    double sum = 0;
    for (int j = 0; j <= FEW - 3 * STEP; j++) {
        double mean = 0;
        for (int i = j; i < j + STEP; i++)
            mean += (lead_ns[i + 2 * STEP] - 2 * lead_ns[i + STEP] + lead_ns[i]) / STEP;
        sum += mean * mean;
    }
    struct ordo_phase few = {lead_ns, FEW, APART_NS};
    expect(ordo_time_deviation_ns(&few, STEP), sqrt(sum / 6 / (FEW - 3 * STEP + 1)), 1e-12, "tdev", STEP);
}

Test(stability, too_few_values_give_no_deviation)
{
    struct ordo_phase few = {lead_ns, 5, APART_NS};
    cr_assert(!isnan(ordo_allan_deviation(&few, 2)) && isnan(ordo_allan_deviation(&few, 3)));
    cr_assert(!isnan(ordo_time_deviation_ns(&few, 1)) && isnan(ordo_time_deviation_ns(&few, 2)));
    cr_assert(isnan(ordo_allan_deviation(&few, 0)) && isnan(ordo_time_deviation_ns(&few, 0)));
    few.count = 0;
    cr_assert(isnan(ordo_allan_deviation(&few, 1)) && isnan(ordo_time_deviation_ns(&few, 1)));
}

Test(stability, uneven_times_are_resampled)
{
    static const double at[] = {100, 110, 145, 150}, lead[] = {0, 10, 45, 100};
    double even[8];
    cr_assert_eq(ordo_phase_even(at, lead, 4, 10, even, 8), 6);
    static const double expected[] = {0, 10, 20, 30, 40, 100};
    for (int i = 0; i < 6; i++)
        cr_assert_float_eq(even[i], expected[i], 1e-9, "%d: %g", i, even[i]);
    cr_assert_eq(ordo_phase_even(at, lead, 4, 10, even, 2), 2, "no more values than the capacity");
    cr_assert_eq(ordo_phase_even(at, lead, 1, 10, even, 8), 1);
}

Test(stability, spread_and_percentiles_follow_the_textbook)
{
    double values[] = {4, 2, 8, 6};
    struct ordo_spread spread = ordo_stats_spread(values, 4);
    cr_assert_float_eq(spread.mean, 5, 1e-12);
    cr_assert_float_eq(spread.deviation, sqrt(20.0 / 3), 1e-12);
    cr_assert_eq(ordo_stats_spread(values, 1).deviation, 0);
    ordo_stats_sort(values, 4);
    static const double percents[] = {0, 25, 25.1, 50, 75, 99, 100}, expected[] = {2, 2, 4, 4, 6, 8, 8};
    for (int i = 0; i < 7; i++)
        cr_assert_eq(ordo_stats_percentile(values, 4, percents[i]), expected[i], "%g", percents[i]);
}
