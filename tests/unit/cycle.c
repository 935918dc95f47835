/* The best corrections, compared with two optimal results: the largest mean of all cycles, found by visiting each
 * cycle, and machines whose true clocks are known. If the environment has ORDO_SOAK, every machine gets 1000 skews. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/minmax.h"
#include "base/random.h"
#include "calibrate/bound/conclude.h"
#include "calibrate/bound/cycle.h"

/* ---- all cycles, one by one ---- */

enum { FEW = 8 };

struct search {
    const int64_t *deltas;
    int n;
    bool used[FEW];
    int64_t sum; /* sum and length of the cycle with the largest mean so far */
    int64_t length;
};

/* Extends a path in every way, and closes it to cycles. `first` is its first node and its least one. */
static void go_on(struct search *search, int first, int at, int64_t sum, int64_t length)
{
    search->used[at] = true;
    for (int next = first; next < search->n; next++) {
        if (next == at || (next != first && search->used[next]))
            continue;
        int64_t longer = sum + search->deltas[at * search->n + next];
        if (next != first) {
            go_on(search, first, next, longer, length + 1);
        } else if (longer * search->length > search->sum * (length + 1)) {
            search->sum = longer;
            search->length = length + 1;
        }
    }
    search->used[at] = false;
}

/* Returns the largest cycle mean, rounded up. */
static int64_t brute_force(const int64_t *deltas, int n)
{
    struct search search = {.deltas = deltas, .n = n, .sum = INT32_MIN, .length = 1};
    for (int first = 0; first < n; first++)
        go_on(&search, first, first, 0, 0);
    int64_t floor = search.sum / search.length;
    return floor + (search.sum > floor * search.length);
}

static int64_t least_of(const int64_t *values, int n)
{
    int64_t least = INT64_MAX;
    for (int i = 0; i < n; i++)
        least = ordo_min(least, values[i]);
    return least;
}

static int64_t between(uint64_t *state, int64_t low, int64_t high)
{
    return low + (int64_t)(ordo_random_next(state) % (uint64_t)(high - low + 1));
}

Test(cycle, the_boundary_is_the_largest_mean_of_all_cycles)
{
    uint64_t state = 1;
    for (int round = 0; round < 4000; round++) {
        int n = 2 + round % (FEW - 1);
        int64_t deltas[FEW * FEW], corrections[FEW], range = round % 3 ? 500 : 7;
        for (int i = 0; i < n * n; i++)
            deltas[i] = i % (n + 1) ? between(&state, round % 5 ? 20 : -range, 20 + range) : ORDO_DELTA_NONE;
        int64_t found = ordo_cycle_correct(deltas, n, corrections);
        cr_assert_eq(found, brute_force(deltas, n), "round %d, %d CPUs: %ld", round, n, (long)found);
        cr_assert_eq(least_of(corrections, n), 0);
        for (int i = 0; i < n * n; i++)
            cr_assert(i / n == i % n || deltas[i] + corrections[i % n] - corrections[i / n] <= found);
    }
}

Test(cycle, corrections_remove_an_offset_completely)
{
    int64_t deltas[4] = {0, 100 + 1000000, 100 - 1000000, 0}, corrections[2];
    cr_assert_eq(ordo_cycle_correct(deltas, 2, corrections), 100);
    cr_assert_eq(corrections[0], 1000000);
    cr_assert_eq(corrections[1], 0);
}

Test(cycle, half_a_tick_is_rounded_up)
{
    int64_t deltas[4] = {0, 100, 101, 0}, corrections[2];
    cr_assert_eq(ordo_cycle_correct(deltas, 2, corrections), 101);
    deltas[1] = -100, deltas[2] = -101;
    cr_assert_eq(ordo_cycle_correct(deltas, 2, corrections), -100);
}

Test(cycle, an_overflow_is_refused)
{
    int64_t deltas[9] = {0}, corrections[3];
    for (int i = 0; i < 9; i++)
        deltas[i] = (INT64_C(1) << 61) / 4 - 1;
    cr_assert_eq(ordo_cycle_correct(deltas, 3, corrections), deltas[1]);
    deltas[5]++;
    cr_assert_eq(ordo_cycle_correct(deltas, 3, corrections), ORDO_CYCLE_NONE);
    deltas[5] = -deltas[5];
    cr_assert_eq(ordo_cycle_correct(deltas, 3, corrections), ORDO_CYCLE_NONE);
}

/* ---- published machines ---- */

/* Machines from the collections of latency matrices at github.com/nviennot/core-to-core-latency and
 * github.com/KCORES/core-to-core-latency-plus. Columns: number of CPUs; number of groups of CPUs that are much closer
 * together; then latencies in tenths of a nanosecond: the least, the worst within a group, the median, the largest. */
static const struct shape {
    int cpus, groups, least, worst_inside, median, most;
} shapes[] = {
    {512, 32, 127, 388, 2025, 2160}, /* Dual AMD EPYC 9754 128-Core Processor by-fwyzard */
    {256, 16, 102, 304, 2895, 3373}, /* Dual AMD EPYC 7763 64-Core Processor by-fwyzard */
    {256, 33, 80, 378, 2606, 2904},  /* Dual AMD EPYC 7742 64-Core Processor */
    {192, 12, 97, 273, 1946, 2085},  /* AMD EPYC 7R13 48-Core Processor */
    {192, 16, 103, 316, 1968, 2071}, /* Dual AMD EPYC 9454 48-Core Processor by-fwyzard */
    {192, 24, 242, 339, 1846, 2009}, /* Dual AMD EPYC 9654 96-Core Processor by-leavelet */
    {128, 16, 167, 333, 6833, 8833}, /* Dual IBM Power9 8335-GTH 16-core 2.7GHz by-herver */
    {128, 16, 115, 809, 3549, 4300}, /* Dual AMD EPYC 7601 32-Core Processor by-jstzwj */
    {128, 32, 241, 263, 2289, 2514}, /* Dual AMD EPYC 7702 64-Core Processor by-herver */
    {128, 8, 99, 328, 1149, 1400},   /* AMD EPYC 7773X */
    {128, 2, 76, 578, 568, 1198},    /* Dual Intel Xeon Platinum 8360Y 2.40GHz by-herver */
    {128, 16, 289, 415, 1094, 1196}, /* AMD EPYC 9754 128-Core Processor by-Entropy-Enthalpy */
    {128, 2, 80, 621, 987, 1168},    /* Intel(R) Xeon(R) Platinum 8375C CPU @ 2.90GHz */
    {96, 2, 75, 514, 1287, 1397},    /* Intel(R) Xeon(R) Platinum 8275CL CPU @ 3.00GHz */
    {96, 2, 74, 946, 998, 1142},     /* Dual Intel Xeon Gold 6336Y 2.40GHz by-herver */
    {80, 1, 784, 0, 1800, 2393},     /* Dual Ampere Altra Processor Q80-30 CPU 3.0GHz NUMA-off by-zeroping */
    {80, 1, 680, 0, 1563, 2107},     /* Dual Ampere Altra Processor Q80-30 CPU 3.0GHz by-zeroping */
    {72, 2, 75, 502, 1072, 1269},    /* Intel(R) Xeon(R) CPU E5-2695 v4 @ 2.10GHz */
    {64, 16, 84, 255, 2273, 2492},   /* Dual AMD EPYC 7302 16-Core Processor by-herver */
    {64, 2, 50, 940, 1197, 2240},    /* Dual Intel Xeon E5-2698v3 2.3GHz by-MaxKingPor */
    {64, 2, 73, 562, 1352, 1462},    /* Dual Intel(R) Xeon Gold 6242 @ 2.8GHz */
    {64, 2, 410, 600, 989, 1248},    /* Dual Intel Xeon Platinum 8358 CPU 2.60GHz by-leavelet */
    {64, 1, 532, 0, 1053, 1131},     /* Intel Xeon Phi 7210 1.30GHz by-shisoft */
    {64, 1, 410, 0, 910, 1125},      /* Intel(R) Xeon Phi(TM) CPU 7210 @ 1.30GHz */
    {64, 16, 192, 215, 1029, 1124},  /* AMD Ryzen Threadripper 3990X 64-Core Processor by-shisoft */
    {64, 2, 300, 382, 718, 877},     /* HiSilicon Kunpeng 920-6426 @ 2.6GHz */
    {64, 1, 304, 0, 472, 584},       /* AWS Graviton2 */
    {64, 1, 296, 0, 464, 568},       /* AWS Graviton3 */
    {56, 4, 79, 551, 1175, 1450},    /* Dual Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40GHz */
    {48, 8, 90, 239, 988, 1071},     /* AMD EPYC 74F3 24-Core Processor by-matja */
    {48, 8, 64, 279, 946, 1041},     /* AMD Ryzen Threadripper 3960X, 3.80GHz, 24 Cores, Zen 2, 3rd Gen, 2019-Q4 */
    {40, 2, 108, 560, 1575, 1760},   /* Quad Intel Xeon E5-4650v2 2.4GHz by-AlloyBronya */
    {40, 2, 81, 483, 1078, 1291},    /* Dual Intel(R) Xeon(R) CPU E5-2630 v4 @ 2.20GHz */
    {36, 2, 352, 543, 1201, 1613},   /* Intel Xeon CPU E5-2695v4 2.10GHz by-Chivier */
    {36, 1, 364, 0, 553, 724},       /* Intel Xeon W9-3475X 2.2GHz 36Cores 2023-Q2 by-ReinForce-II */
    {32, 4, 428, 838, 2532, 3206},   /* MCST Elbrus-8C 8Cores 1.2GHz elbrus-v4 by-numas13 */
    {32, 2, 170, 244, 1905, 2355},   /* AMD Ryzen 9 9950X 16-Core Processor by-ubergarm */
    {32, 2, 83, 634, 1055, 1718},    /* Dual Intel(R) Xeon(R) CPU E5-2690 0 @ 2.90GHz */
    {32, 4, 99, 307, 1528, 1659},    /* AMD Ryzen Threadripper 1950X 16-Core Processor by-ldy985 */
    {32, 4, 100, 268, 1510, 1600},   /* AMD Ryzen Threadripper 1950X */
    {20, 1, 44, 0, 322, 498},        /* Intel Core i7-12700K by-felubra */
    {16, 1, 78, 0, 180, 205},        /* AMD Ryzen 7 5700X */
};

enum { SHAPES = sizeof shapes / sizeof *shapes };

/* Makes a machine of this shape, with 2.6 ticks per nanosecond. The latencies of the two directions differ by up to a
 * tenth. */
static struct ordo_calibration *make(const struct shape *shape, uint64_t *state)
{
    int n = shape->cpus, size = (n + shape->groups - 1) / shape->groups;
    struct ordo_calibration *made = ordo_calibration_new(n);
    cr_assert_not_null(made);
    made->granule_ticks = 26;
    for (int i = 0; i < n; i++) {
        made->cpus[i] = (unsigned)i;
        for (int j = 0; j < n; j++) {
            bool inside = shape->groups > 1 && i / size == j / size;
            int64_t tenths = inside
                                 ? between(state, shape->least, shape->worst_inside)
                                 : between(state, ordo_max(shape->least, 2 * shape->median - shape->most), shape->most);
            made->delta_ticks[i * n + j] = i == j ? ORDO_DELTA_NONE : tenths * 26 / 100 * (100 + (i > j) * 10) / 100;
        }
    }
    return made;
}

/* Draws the offsets of the clocks: different for all CPUs, different for the two halves of the CPUs, or different for
 * one CPU. */
static void skew(int64_t *clocks, int n, uint64_t *state)
{
    int kind = (int)(ordo_random_next(state) % 3), size = kind == 1 ? n / 2 : 1;
    int64_t range = INT64_C(1) << between(state, 1, 40), last = 0;
    for (int i = 0; i < n; i++) {
        if (kind != 2 ? i % size == 0 : i == n / 3)
            last = between(state, -range, range);
        clocks[i] = kind == 2 && i != n / 3 ? 0 : last;
    }
}

/* Measures on clocks with these offsets, and expects the corrections for them. */
static void hold(struct ordo_calibration *made, const int64_t *latency, const int64_t *clocks, int64_t optimum)
{
    struct ordo_error error;
    int n = made->count;
    int64_t worst = 0, rest = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (i != j)
                made->delta_ticks[i * n + j] = latency[i * n + j] + clocks[j] - clocks[i];
    cr_assert_eq(ordo_boundary_conclude(made, &error), ORDO_OK);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            worst = ordo_max(worst, clocks[j] - clocks[i]);
            rest = ordo_max(rest, clocks[j] + made->correction_ticks[j] - clocks[i] - made->correction_ticks[i]);
        }
    cr_assert_geq(made->boundary_ticks, (uint64_t)worst);
    cr_assert_geq(made->corrected_boundary_ticks, (uint64_t)rest);
    cr_assert_leq(made->corrected_boundary_ticks, made->boundary_ticks);
    /* A skew does not change the sum of a cycle, so the corrected boundary does not depend on the skew. */
    cr_assert_eq((int64_t)made->corrected_boundary_ticks, optimum);
}

Test(cycle, corrected_clocks_of_published_machines_stay_within_their_boundary)
{
    uint64_t state = 7;
    cr_assert_geq(SHAPES, 30);
    for (int s = 0; s < SHAPES; s++) {
        struct ordo_calibration *made = make(&shapes[s], &state);
        struct ordo_error error;
        size_t n = (size_t)made->count;
        int64_t *latency = malloc(n * n * sizeof *latency), *clocks = malloc(n * sizeof *clocks);
        int skews = getenv("ORDO_SOAK") ? 1000 : n > 200 || ORDO_TESTS_BRIEF ? 2 : n > 100 ? 10 : 60;
        cr_assert(latency && clocks);
        memcpy(latency, made->delta_ticks, n * n * sizeof *latency);
        cr_assert_eq(ordo_boundary_conclude(made, &error), ORDO_OK);
        int64_t optimum = (int64_t)made->corrected_boundary_ticks;
        for (int k = 0; k < skews; k++) {
            skew(clocks, made->count, &state);
            hold(made, latency, clocks, optimum);
        }
        free(latency);
        free(clocks);
        ordo_calibration_free(made);
    }
}

Test(cycle, an_unmeasured_pair_prevents_corrections)
{
    struct ordo_error error;
    struct ordo_calibration *made = ordo_calibration_new(3);
    made->granule_ticks = 10;
    for (int i = 0; i < 9; i++)
        made->delta_ticks[i] = i % 4 ? 100 + i : ORDO_DELTA_NONE;
    cr_assert_eq(ordo_boundary_conclude(made, &error), ORDO_OK);
    cr_assert_eq(made->boundary_ticks, 117);
    cr_assert_gt(made->corrected_boundary_ticks, 0);
    made->delta_ticks[7] = ORDO_DELTA_NONE;
    cr_assert_eq(ordo_boundary_conclude(made, &error), ORDO_OK);
    cr_assert_eq(made->unmeasured_pairs, 1);
    cr_assert_eq(made->boundary_ticks, 116);
    cr_assert_eq(made->corrected_boundary_ticks, 0);
    for (int i = 0; i < 9; i++)
        made->delta_ticks[i] = ORDO_DELTA_NONE;
    cr_assert_eq(ordo_boundary_conclude(made, &error), ORDO_E_MEASURE);
    ordo_calibration_free(made);
}
