/* Figure 10: the tenth allreduce of a program on 27 x 8 ranks of Jupiter, in the times of each rank's clock and in global
 * time, with clock_gettime and with gettimeofday as the source. */
#include <math.h>

#include "base/random.h"
#include "cluster/sync/sync.h"
#include "lab/figures/hca3/benchmark.h"
#include "lab/figures/hca3/hca3.h"
#include "lab/figures/hca3/machine.h"

enum { CHART_NODES = 27, CHART_RANKS = CHART_NODES * 8, CALLS = 10 };

/* The tenth call on each rank, in ns: in local and in global time. Of each rank, the share of the time of all calls. */
struct chart {
    int64_t begin_ns[2][CHART_RANKS], end_ns[2][CHART_RANKS];
    double share[CHART_RANKS];
};

enum { LOCAL, GLOBAL };

/* Computes for 5 us and a little more, which differs from rank to rank: about a fifth of the time, as in the program of the
 * paper. */
static void compute(struct ordo_transport *world, uint64_t *random)
{
    ordo_sim_sleep_until(world, ordo_sim_true_ns(world) + 5000 + (int64_t)(5000 * ordo_random_unit(random)));
}

static int traced_program(struct ordo_transport *world, void *context)
{
    struct chart *chart = context;
    struct ordo_sync_options sync = ordo_sync_defaults();
    struct ordo_model model;
    uint64_t random = (uint64_t)world->rank + 1;
    int64_t begin_ns = 0, end_ns = 0, first_ns = 0, calls_ns = 0;
    sync.common_residual_ns = world->granule_ns;
    sync.common_at_ns = sync.common_since_ns = world->now_ns(world);
    int code = ordo_sync_run(world, &sync, NULL, &model, NULL);
    for (int i = 0; i < CALLS && !code; i++) {
        compute(world, &random);
        begin_ns = world->now_ns(world);
        code = hca3_allreduce(world);
        end_ns = world->now_ns(world);
        first_ns = i ? first_ns : end_ns; /* the first call also waits for ranks that synchronised for longer */
        calls_ns += i ? end_ns - begin_ns : 0;
    }
    chart->share[world->rank] = (double)calls_ns / (double)(end_ns - first_ns);
    chart->begin_ns[LOCAL][world->rank] = begin_ns;
    chart->end_ns[LOCAL][world->rank] = end_ns;
    chart->begin_ns[GLOBAL][world->rank] = ordo_model_time(&model, begin_ns).estimate_ns;
    chart->end_ns[GLOBAL][world->rank] = ordo_model_time(&model, end_ns).estimate_ns;
    return code;
}

/* Runs the program with a time source: its clocks differ from node to node by up to `offset_ns`. */
static int run_source(struct ordo_figure_run *run, int64_t offset_ns, int64_t granule_ns, struct chart *chart,
                      struct ordo_error *error)
{
    struct ordo_sim_options cluster = hca3_cluster(HCA3_JUPITER, CHART_NODES, ordo_figure_seed(run));
    struct ordo_sim_result result;
    hca3_add_ports(&cluster, HCA3_JUPITER);
    cluster.ranks_per_socket = 4;
    cluster.ranks = CHART_RANKS;
    cluster.offset_ns = offset_ns;
    cluster.granule_ns = granule_ns;
    return ordo_sim_run(&cluster, traced_program, chart, &result, error);
}

static int64_t first_begin_ns(const struct chart *chart, int time)
{
    int64_t first_ns = chart->begin_ns[time][0];
    for (int i = 1; i < CHART_RANKS; i++)
        first_ns = chart->begin_ns[time][i] < first_ns ? chart->begin_ns[time][i] : first_ns;
    return first_ns;
}

/* Returns the time from the first begin to the last end. */
static double width_us(const struct chart *chart, int time)
{
    int64_t first_ns = first_begin_ns(chart, time), last_ns = first_ns;
    for (int i = 0; i < CHART_RANKS; i++)
        last_ns = chart->end_ns[time][i] > last_ns ? chart->end_ns[time][i] : last_ns;
    return (double)(last_ns - first_ns) / 1e3;
}

/* Returns the mean time that a rank spends in the call. */
static double mean_call_us(const struct chart *chart, int time)
{
    double sum_ns = 0;
    for (int i = 0; i < CHART_RANKS; i++)
        sum_ns += (double)(chart->end_ns[time][i] - chart->begin_ns[time][i]);
    return sum_ns / CHART_RANKS / 1e3;
}

static double mean_share(const struct chart *chart)
{
    double sum = 0;
    for (int i = 0; i < CHART_RANKS; i++)
        sum += chart->share[i];
    return sum / CHART_RANKS;
}

static void draw_chart(struct ordo_figure_run *run, const char *title, const struct chart *chart, int time)
{
    struct ordo_figure_panel *panel = ordo_figure_panel(run, title, "time [us]", "rank", ORDO_FIGURE_LINEAR);
    struct ordo_figure_curve *curve = ordo_figure_curve(panel, "MPI_Allreduce", ORDO_FIGURE_RANGES);
    int64_t first_ns = first_begin_ns(chart, time);
    for (int i = 0; i < CHART_RANKS; i++) {
        double begin_us = (double)(chart->begin_ns[time][i] - first_ns) / 1e3;
        double end_us = (double)(chart->end_ns[time][i] - first_ns) / 1e3;
        ordo_figure_range(curve, (begin_us + end_us) / 2, i, begin_us, end_us);
    }
}

int ordo_figure_hca3_fig10(struct ordo_figure_run *run, struct ordo_error *error)
{
    /* clock_gettime counts from the boot of a node, and gettimeofday is steered by NTP and counts microseconds. */
    static struct chart gettime, timeofday;
    int code = run_source(run, 1000000000, 1, &gettime, error);
    code = code ? code : run_source(run, 100000, 1000, &timeofday, error);
    if (code)
        return code;
    draw_chart(run, "(a) clock_gettime, global clock", &gettime, GLOBAL);
    draw_chart(run, "(b) clock_gettime, local clock", &gettime, LOCAL);
    draw_chart(run, "(c) gettimeofday, global clock", &timeofday, GLOBAL);
    draw_chart(run, "(d) gettimeofday, local clock", &timeofday, LOCAL);
    /* Within a factor of 2: the simulated program and its allreduce are not those of the paper. */
    ordo_figure_value(run, "time of a rank in MPI_Allreduce, clock_gettime", "us", 30, mean_call_us(&gettime, GLOBAL),
                      ORDO_FIGURE_EQUAL, 2);
    ordo_figure_value(run, "time of a rank in MPI_Allreduce, gettimeofday", "us", 30, mean_call_us(&timeofday, GLOBAL),
                      ORDO_FIGURE_EQUAL, 2);
    /* The share is that of a program that computes for about as long as the original. */
    ordo_figure_value(run, "share of the time in MPI_Allreduce", "%", 80, 100 * mean_share(&gettime), ORDO_FIGURE_EQUAL,
                      1.1);
    ordo_figure_claim(
        run, width_us(&gettime, LOCAL) > 1000 * mean_call_us(&gettime, LOCAL),
        "in local time of clock_gettime, single calls cannot be seen: they are a thousandth of the chart");
    ordo_figure_claim(run,
                      width_us(&timeofday, LOCAL) < width_us(&gettime, LOCAL) / 100 &&
                          width_us(&timeofday, LOCAL) > 2 * width_us(&timeofday, GLOBAL),
                      "with gettimeofday they can be seen, but the clocks are too imprecise");
    ordo_figure_claim(run, fabs(width_us(&gettime, GLOBAL) - width_us(&timeofday, GLOBAL)) < 5,
                      "in global time, the call takes the same time with both sources: to 5 us");
    return hca3_switch_sources(run, error);
}
