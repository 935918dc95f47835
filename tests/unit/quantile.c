#include <criterion/criterion.h>
#include <stdlib.h>

#include "base/quantile.h"

Test(quantile, the_median_of_odd_and_even_counts_is_right)
{
    double odd[] = {5, 1, 3}, even[] = {4, 1, 3, 2};
    cr_assert_eq(ordo_stats_median(odd, 3).median, 3);
    cr_assert_eq(ordo_stats_median(even, 4).median, 2.5);
}

Test(quantile, the_interval_of_few_values_is_their_whole_range)
{
    double values[] = {3, 1, 2, 5, 4};
    struct ordo_median m = ordo_stats_median(values, 5);
    cr_assert(m.low == 1 && m.high == 5);
}

/* Textbook ranks of the 95% interval (1-based): n = 15: 4 and 12; n = 20: 6 and 15; n = 100: 40 and 61. */
Test(quantile, the_interval_has_the_binomial_ranks)
{
    static const struct {
        int n;
        double low, high;
    } known[] = {{6, 1, 6}, {15, 4, 12}, {20, 6, 15}, {100, 40, 61}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        double values[100];
        for (int v = 0; v < known[i].n; v++)
            values[v] = known[i].n - v;
        struct ordo_median m = ordo_stats_median(values, (size_t)known[i].n);
        cr_assert(m.low == known[i].low && m.high == known[i].high, "n = %d: %g and %g", known[i].n, m.low, m.high);
    }
}

/* The level is the probability that the median is between the two order statistics, by the binomial distribution. */
Test(quantile, the_interval_states_its_level)
{
    static const struct {
        int n;
        double level;
        const char *name;
    } known[] = {{1, 0, "range"},
                 {2, 0.5, "range"},
                 {3, 0.75, "range"},
                 {5, 0.9375, "range"},
                 {6, 0.96875, "95% interval"},
                 {7, 0.984375, "95% interval"},
                 {15, 0.96484375, "95% interval"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        double values[15];
        for (int v = 0; v < known[i].n; v++)
            values[v] = v;
        struct ordo_median m = ordo_stats_median(values, (size_t)known[i].n);
        cr_assert_float_eq(m.level, known[i].level, 1e-12, "n = %d: %.12f", known[i].n, m.level);
        cr_assert_str_eq(ordo_stats_interval_name(m.level), known[i].name);
    }
}

/* 2^-count is too small for a double. The interval must still be about sqrt(count) ranks wide. */
Test(quantile, the_interval_of_many_values_does_not_collapse)
{
    enum { MANY = 10000 };
    double values[MANY];
    for (int v = 0; v < MANY; v++)
        values[v] = v + 1;
    struct ordo_median m = ordo_stats_median(values, MANY);
    cr_assert(m.low >= 4901 && m.low <= 4903 && m.high >= 5098 && m.high <= 5100, "%g and %g", m.low, m.high);
    cr_assert(m.level >= 0.95 && m.level < 0.955, "%g", m.level);
}

Test(quantile, the_interval_contains_the_median_at_its_stated_level)
{
    int covered = 0;
    srand(1);
    for (int trial = 0; trial < 2000; trial++) {
        double values[15];
        for (int i = 0; i < 15; i++)
            values[i] = rand() / (double)RAND_MAX;
        struct ordo_median m = ordo_stats_median(values, 15);
        covered += m.low <= 0.5 && m.high >= 0.5;
    }
    cr_assert_geq(covered, 1900);
    cr_assert_lt(covered, 2000, "an interval that is never wrong is too wide to be of use");
}

Test(quantile, the_mode_is_the_smallest_most_frequent_value)
{
    int64_t values[] = {52, 26, 26, 78, 52, 25}, one[] = {7};
    cr_assert_eq(ordo_stats_mode(values, 6), 26);
    cr_assert_eq(ordo_stats_mode(one, 1), 7);
}
