/* Jitter: its three measures, the conversion between them, and the test of whiteness, which says if the conversion is
 * valid. */
#include <criterion/criterion.h>
#include <math.h>

#include "base/jitter.h"
#include "base/random.h"

enum { EDGES = 20001, PERIOD_FS = 8000000 };

static double normal(uint64_t *random)
{
    return sqrt(-2 * log(1 - ordo_random_unit(random))) * cos(2 * M_PI * ordo_random_unit(random));
}

/* Makes the edges of a 125 MHz clock, with noise of `period_noise_fs` in each period, which accumulates, and of
 * `edge_noise_fs` in each edge, which does not. */
static void make(int64_t *edge_fs, int edges, uint64_t seed, double period_noise_fs, double edge_noise_fs)
{
    double late_fs = 0;
    for (int i = 0; i < edges; i++) {
        edge_fs[i] = (int64_t)i * PERIOD_FS + llround(late_fs + edge_noise_fs * normal(&seed));
        late_fs += period_noise_fs * normal(&seed);
    }
}

Test(jitter, the_example_of_the_report_gives_20_18_ps)
{
    /* 300 ps over 3536 ns, which are 442 cycles of 8 ns */
    cr_expect_float_eq(ordo_jitter_cycle_to_cycle(300, 8000, 3536000), 20.18, 0.005);
    cr_expect_float_eq(ordo_jitter_cycle(300, 8000, 3536000), 14.27, 0.005);
}

Test(jitter, the_measures_follow_their_definitions)
{
    const int64_t edges[] = {0, 10, 22, 30, 40}; /* the periods 10, 12, 8, 10 deviate by 0, 2, -2, 0 */
    struct ordo_jitter jitter = ordo_jitter_of(edges, 5, 2);
    cr_expect_eq(jitter.periods, 4);
    cr_expect_float_eq(jitter.period_fs, 10, 1e-12);
    cr_expect_float_eq(jitter.cycle_fs, sqrt(2), 1e-12);
    cr_expect_float_eq(jitter.cycle_to_cycle_fs, sqrt(8), 1e-12); /* successive periods differ by 2, -4, 2 */
    cr_expect_float_eq(jitter.absolute_fs, sqrt(8.0 / 3), 1e-12); /* spans of two periods: 22, 20, 18 */
}

/* A signal of 1 Hz for a year: times in fs need more than 64 bits, deviations from whole seconds do not. */
Test(jitter, a_constant_may_be_subtracted_from_all_periods)
{
    static int64_t whole[EDGES], rest[EDGES];
    make(whole, EDGES, 3, 15000, 4000);
    for (int i = 0; i < EDGES; i++)
        rest[i] = whole[i] - (int64_t)i * PERIOD_FS;
    struct ordo_jitter a = ordo_jitter_of(whole, EDGES, 100), b = ordo_jitter_of(rest, EDGES, 100);
    cr_expect_float_eq(a.period_fs, b.period_fs + PERIOD_FS, 1e-6);
    cr_expect_float_eq(a.cycle_fs, b.cycle_fs, 1e-6 * a.cycle_fs);
    cr_expect_float_eq(a.cycle_to_cycle_fs, b.cycle_to_cycle_fs, 1e-6 * a.cycle_to_cycle_fs);
    cr_expect_float_eq(a.absolute_fs, b.absolute_fs, 1e-6 * a.absolute_fs);
    cr_expect_float_eq(ordo_jitter_whiteness(whole, EDGES).statistic, ordo_jitter_whiteness(rest, EDGES).statistic,
                       1e-6);
    struct ordo_jitter_edges c = ordo_jitter_edges(whole, EDGES), d = ordo_jitter_edges(rest, EDGES);
    cr_expect_float_eq(c.rms_fs, d.rms_fs, 1e-6 * d.rms_fs);
    cr_expect_float_eq(c.period_fs, d.period_fs + PERIOD_FS, 1e-6);
}

Test(jitter, the_distances_from_a_line_follow_their_definition)
{
    const int64_t edges[] = {0, 12, 20, 28, 40}; /* the line 10 i, and the distances 0, 2, 0, -2, 0 from it, tilted */
    struct ordo_jitter_edges line = ordo_jitter_edges(edges, 5);
    cr_expect_float_eq(line.period_fs, 9.6, 1e-12);
    cr_expect_float_eq(line.rms_fs, sqrt((0.8 * 0.8 + 1.6 * 1.6 + 1.6 * 1.6 + 0.8 * 0.8) / 5), 1e-12);
    cr_expect_float_eq(line.peak_fs, 3.2, 1e-12);
}

Test(jitter, noise_of_the_clock_periods_is_white)
{
    static int64_t edges[EDGES];
    int refused = 0;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        make(edges, EDGES, seed * 77, 15000, 0);
        struct ordo_jitter jitter = ordo_jitter_of(edges, EDGES, 100);
        cr_expect_float_eq(jitter.cycle_fs / 15000, 1, 0.03);
        cr_expect_float_eq(ordo_jitter_cycle(jitter.absolute_fs, 1, 100) / jitter.cycle_fs, 1, 0.3);
        cr_expect_float_eq(ordo_jitter_cycle_to_cycle(jitter.absolute_fs, 1, 100) / jitter.cycle_to_cycle_fs, 1, 0.3);
        refused += !ordo_jitter_whiteness(edges, EDGES).is_white;
    }
    cr_expect_leq(refused, 1);
}

Test(jitter, noise_of_the_clock_edges_is_not_white)
{
    static int64_t edges[EDGES];
    make(edges, EDGES, 5, 0, 15000);
    struct ordo_jitter jitter = ordo_jitter_of(edges, EDGES, 100);
    struct ordo_whiteness white = ordo_jitter_whiteness(edges, EDGES);
    cr_expect_not(white.is_white);
    cr_expect_float_eq(white.neighbours, -0.5, 0.03);
    cr_expect_lt(ordo_jitter_cycle(jitter.absolute_fs, 1, 100), jitter.cycle_fs / 5);
}

Test(jitter, a_slow_wave_is_not_white)
{
    static int64_t edges[EDGES];
    make(edges, EDGES, 6, 15000, 0);
    double late_fs = 0;
    for (int i = 0; i < EDGES; i++)
        edges[i] += llround(late_fs += 5000 * sin(2 * M_PI * i / 500));
    cr_expect_not(ordo_jitter_whiteness(edges, EDGES).is_white);
}

Test(jitter, the_whiteness_test_rejects_one_white_series_in_a_thousand)
{
    static int64_t edges[EDGES];
    int refused = 0;
    for (uint64_t seed = 1; seed <= 4000; seed++) {
        make(edges, 400, seed << 20, 15000, 0);
        refused += !ordo_jitter_whiteness(edges, 400).is_white;
    }
    cr_expect(refused >= 1 && refused <= 16, "%d", refused);
}

Test(jitter, a_perfect_clock_has_no_jitter)
{
    static int64_t edges[EDGES];
    make(edges, EDGES, 1, 0, 0);
    struct ordo_jitter jitter = ordo_jitter_of(edges, EDGES, 442);
    cr_expect(jitter.absolute_fs == 0 && jitter.cycle_fs == 0 && jitter.cycle_to_cycle_fs == 0);
    cr_expect(ordo_jitter_whiteness(edges, EDGES).is_white);
}
