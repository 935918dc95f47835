/* Distributions and stability in constant memory, compared with those of arrays. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allan.h"
#include "base/octaves.h"
#include "base/random.h"
#include "base/sketch.h"
#include "base/spread.h"

enum { VALUES = 1 << 14 };

static const double apart_ns = 1e9;
static double values[VALUES];
static struct ordo_octaves octaves;
static struct ordo_sketch sketch;

static double noise(uint64_t *state)
{
    double sum = 0;
    for (int i = 0; i < 12; i++)
        sum += ordo_random_unit(state);
    return sum - 6; /* variance 1 */
}

static void fill(double (*value)(int i, uint64_t *state))
{
    uint64_t state = 1;
    memset(&octaves, 0, sizeof octaves);
    for (int i = 0; i < VALUES; i++) {
        values[i] = value(i, &state);
        ordo_octaves_add(&octaves, values[i]);
    }
}

static double growing(int i, uint64_t *state)
{
    (void)state;
    return 0.5 * i * i;
}

static double white(int i, uint64_t *state)
{
    (void)i;
    return 30 * noise(state);
}

static double walking(int i, uint64_t *state)
{
    static double rate, lead;
    rate = i ? rate + 0.01 * noise(state) : 0;
    lead = i ? lead + rate : 0;
    return lead;
}

/* The rate grows by D in each unit of time: the Allan deviation is D t / sqrt(2), exactly. */
Test(octaves, the_deviation_of_a_growing_rate_is_exact)
{
    fill(growing);
    for (int k = 0; k < 12; k++) {
        double expected = ldexp(1, k) / sqrt(2) / apart_ns;
        cr_assert_float_eq(ordo_octaves_deviation(&octaves, k, apart_ns), expected, 1e-9 * expected, "octave %d", k);
    }
}

Test(octaves, the_deviation_is_that_of_the_array)
{
    double (*const kinds[])(int, uint64_t *) = {white, walking};
    for (int kind = 0; kind < 2; kind++) {
        fill(kinds[kind]);
        const struct ordo_phase phase = {values, VALUES, (int64_t)apart_ns};
        for (int k = 0; k < 8; k++) {
            double all = ordo_allan_deviation(&phase, (size_t)1 << k), terms = (double)octaves.octave[k].terms;
            cr_assert_float_eq(ordo_octaves_deviation(&octaves, k, apart_ns), all, 5 * all / sqrt(2 * terms),
                               "kind %d, octave %d", kind, k);
        }
    }
}

Test(octaves, no_difference_spans_a_break)
{
    memset(&octaves, 0, sizeof octaves);
    for (int i = 0; i < 64; i++) {
        if (i == 32)
            ordo_octaves_break(&octaves);
        ordo_octaves_add(&octaves, i < 32 ? i : 1e9 + i);
    }
    for (int k = 0; k < 4; k++)
        cr_assert_eq(ordo_octaves_deviation(&octaves, k, apart_ns), 0, "octave %d", k);
    cr_assert(isnan(ordo_octaves_deviation(&octaves, 5, apart_ns)));
}

Test(sketch, a_percentile_is_at_most_that_of_the_array_and_a_128th_less)
{
    static const double percents[] = {0, 1, 50, 90, 99, 99.9, 100};
    uint64_t state = 7;
    for (int i = 0; i < VALUES; i++) {
        values[i] = exp(10 * noise(&state));
        ordo_sketch_add(&sketch, values[i]);
    }
    ordo_stats_sort(values, VALUES);
    for (size_t i = 0; i < sizeof percents / sizeof *percents; i++) {
        double exact = ordo_stats_percentile(values, VALUES, percents[i]);
        double found = ordo_sketch_percentile(&sketch, percents[i]);
        if (exact >= ordo_sketch_least(0) && exact < ordo_sketch_least(ORDO_SKETCH_OCTAVES))
            cr_assert(found <= exact && found * (1 + 1.0 / ORDO_SKETCH_FINE) >= exact, "%g%%: %g, exact %g",
                      percents[i], found, exact);
    }
}

Test(sketch, whole_numbers_up_to_256_are_exact)
{
    for (int i = 0; i <= 256; i++) {
        memset(&sketch, 0, sizeof sketch);
        ordo_sketch_add(&sketch, i);
        cr_assert_eq(ordo_sketch_percentile(&sketch, 50), i);
    }
}

Test(sketch, extremes_are_counted)
{
    memset(&sketch, 0, sizeof sketch);
    cr_assert(isnan(ordo_sketch_percentile(&sketch, 50)));
    static const double extremes[] = {0, 1e-300, 1e-3, 1e300, INFINITY};
    uint64_t sum = 0;
    for (size_t i = 0; i < 5; i++)
        ordo_sketch_add(&sketch, extremes[i]);
    for (int k = 0; k < ORDO_SKETCH_OCTAVES; k++)
        sum += ordo_sketch_octave(&sketch, k);
    cr_assert_eq(sum + sketch.zeros, 5);
    cr_assert_eq(ordo_sketch_percentile(&sketch, 1), 0);
    cr_assert_gt(ordo_sketch_percentile(&sketch, 100), 1e20);
}
