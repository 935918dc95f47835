/* Figures 7 and 9: the latency of MPI_Allreduce, as benchmarks report it after different barriers, and by Round-Time.
 *
 * The time of a simulated message does not depend on its size. The originals' points for each size are therefore runs
 * with other random numbers here, all with 16 bytes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lab/figures/hca3/benchmark.h"
#include "lab/figures/hca3/hca3.h"
#include "lab/figures/hca3/machine.h"

enum { REPEATS = 3, SUITES = 3, BARRIERS = 5 };

static const char *const suites[SUITES] = {"OSU Micro-Benchmarks (mean)", "Intel MPI Benchmarks (mean)",
                                           "ReproMPI (median)"};

/* The latencies in us: of each suite, barrier and run. */
struct latencies {
    int ranks;
    double of[SUITES][BARRIERS][REPEATS];
};

static int measure_repeats(struct ordo_figure_run *run, struct latencies *latencies, struct ordo_error *error)
{
    int code = ORDO_OK;
    for (int i = 0; i < BARRIERS && !code; i++)
        for (int repeat = 0; repeat < REPEATS && !code; repeat++) {
            struct hca3_benchmark benchmark = {.barrier = ordo_barriers[i], .by_barrier = 200};
            struct ordo_sim_options cluster =
                hca3_cluster(HCA3_JUPITER, 32, ordo_figure_seed(run) * REPEATS + (uint64_t)repeat);
            hca3_add_ports(&cluster, HCA3_JUPITER);
            latencies->ranks = cluster.ranks;
            code = hca3_benchmark_run(&cluster, &benchmark, error);
            latencies->of[0][i][repeat] = benchmark.osu;
            latencies->of[1][i][repeat] = benchmark.intel;
            latencies->of[2][i][repeat] = benchmark.repro;
        }
    return code;
}

static void draw_suites(struct ordo_figure_run *run, const struct latencies *latencies)
{
    for (int suite = 0; suite < SUITES; suite++) {
        struct ordo_figure_panel *panel =
            ordo_figure_panel(run, suites[suite], "run", "latency [us]", ORDO_FIGURE_LINEAR);
        for (int i = 0; i < BARRIERS; i++) {
            struct ordo_figure_curve *curve = ordo_figure_curve(panel, ordo_barriers[i]->name, ORDO_FIGURE_LINE);
            for (int repeat = 0; repeat < REPEATS; repeat++)
                ordo_figure_point(curve, repeat + 1, latencies->of[suite][i][repeat]);
        }
    }
}

static int index_of_barrier(const char *name)
{
    int i = 0;
    while (strcmp(ordo_barriers[i]->name, name) != 0)
        i++;
    return i;
}

int ordo_figure_hca3_fig7(struct ordo_figure_run *run, struct ordo_error *error)
{
    struct latencies latencies;
    int code = measure_repeats(run, &latencies, error), tree = index_of_barrier("tree"),
        ring = index_of_barrier("double-ring");
    if (code)
        return code;
    draw_suites(run, &latencies);
    bool smallest = true, worst = true;
    double ratio = INFINITY; /* of the largest to the smallest latency, without the double ring */
    for (int suite = 0; suite < SUITES; suite++)
        for (int repeat = 0; repeat < REPEATS; repeat++) {
            double most = 0;
            for (int i = 0; i < BARRIERS; i++) {
                smallest &= latencies.of[suite][tree][repeat] <= latencies.of[suite][i][repeat];
                worst &= latencies.of[suite][ring][repeat] >= latencies.of[suite][i][repeat];
                most = i == ring ? most : fmax(most, latencies.of[suite][i][repeat]);
            }
            ratio = fmin(ratio, most / latencies.of[suite][tree][repeat]);
        }
    /* The document has no other number of this figure and of Figure 9. */
    ordo_figure_value(run, "ranks", "", 512, latencies.ranks, ORDO_FIGURE_EQUAL, 1);
    ordo_figure_claim(run, smallest,
                      "with every suite, in every run, the latency is the smallest after the tree barrier");
    ordo_figure_claim(run, worst, "the double ring has a larger influence than the other barriers");
    ordo_figure_claim(run, ratio > 1.2, "the barrier has a significant influence: always more than 20%");
    return ORDO_OK;
}

enum { RUNS = 3, GROUPS = 4 };

/* The mean, the least and the largest result of the runs of one scheme and group. */
struct spread_of_runs {
    double mean, least, most;
};

static void add_run(struct spread_of_runs *spread, int i, double value)
{
    spread->mean += value / RUNS;
    spread->least = i == 0 || value < spread->least ? value : spread->least;
    spread->most = value > spread->most ? value : spread->most;
}

/* The runs of Figure 9: by OSU's scheme after two barriers, and by time. */
struct titan {
    int ranks;
    struct spread_of_runs bruck[GROUPS], tree[GROUPS], by_time[GROUPS];
};

static int run_titan(struct ordo_figure_run *run, struct titan *titan, struct ordo_error *error)
{
    int code = ORDO_OK;
    for (int i = 0; i < GROUPS * RUNS && !code; i++) {
        struct hca3_benchmark one = {.barrier = ordo_barrier_find("bruck"), .by_barrier = 80, .by_time = 80};
        struct hca3_benchmark other = {.barrier = ordo_barrier_find("tree"), .by_barrier = 80};
        struct ordo_sim_options cluster =
            hca3_cluster(HCA3_TITAN, 64, ordo_figure_seed(run) * GROUPS * RUNS + (uint64_t)i);
        hca3_add_ports(&cluster, HCA3_TITAN);
        titan->ranks = cluster.ranks;
        code = hca3_benchmark_run(&cluster, &one, error);
        code = code ? code : hca3_benchmark_run(&cluster, &other, error);
        add_run(&titan->bruck[i / RUNS], i % RUNS, one.osu);
        add_run(&titan->tree[i / RUNS], i % RUNS, other.osu);
        add_run(&titan->by_time[i / RUNS], i % RUNS, one.round_time);
    }
    return code;
}

static void draw_scheme(struct ordo_figure_panel *panel, const char *name, const struct spread_of_runs *spread)
{
    struct ordo_figure_curve *curve = ordo_figure_curve(panel, name, ORDO_FIGURE_POINTS);
    for (int i = 0; i < GROUPS; i++)
        ordo_figure_range(curve, i + 1, spread[i].mean, spread[i].least, spread[i].most);
}

/* True if in every group the mean of one scheme is more than 10% above that of the other. */
static bool is_above(const struct spread_of_runs *one, const struct spread_of_runs *other)
{
    bool above = true;
    for (int i = 0; i < GROUPS; i++)
        above &= one[i].mean > 1.1 * other[i].mean;
    return above;
}

/* The barrier of Titan's library is not named; MPICH, from which it descends, uses Bruck's. */
int ordo_figure_hca3_fig9(struct ordo_figure_run *run, struct ordo_error *error)
{
    struct titan titan = {0};
    int code = run_titan(run, &titan, error);
    if (code)
        return code;
    struct ordo_figure_panel *panel =
        ordo_figure_panel(run, "MPI_Allreduce, 64 x 16 ranks", "three runs each", "latency [us]", ORDO_FIGURE_LINEAR);
    draw_scheme(panel, "OSU Micro-Benchmarks, Bruck", titan.bruck);
    draw_scheme(panel, "OSU Micro-Benchmarks, tree", titan.tree);
    draw_scheme(panel, "ReproMPI, Round-Time", titan.by_time);
    ordo_figure_value(run, "ranks", "", 1024, titan.ranks, ORDO_FIGURE_EQUAL, 1);
    ordo_figure_value(run, "runs of each mean", "", 3, RUNS, ORDO_FIGURE_EQUAL, 1);
    ordo_figure_claim(run, is_above(titan.bruck, titan.by_time),
                      "in each group of runs, OSU's average latency is more than 10% above that of Round-Time");
    ordo_figure_claim(run, is_above(titan.bruck, titan.tree),
                      "OSU's latency depends on the barrier: with Bruck's it is more than 10% above that with a tree");
    return ORDO_OK;
}
