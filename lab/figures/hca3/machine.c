#include "lab/figures/hca3/machine.h"

#include <math.h>
#include <stdlib.h>

#include "cluster/sync/check.h"
#include "cluster/sync/sync.h"

/* A message between two nodes of Jupiter takes 3 us (the paper: a ping-pong takes 3 to 4 us; and JK, with 511 clients,
 * 1000 fit points and 20 exchanges, takes almost 60 s, which are 5.9 us for an exchange). The paper says of Hydra only that
 * its network is faster; Hydra's and Titan's latencies are those of the platform files for SimGrid. A port of Jupiter
 * passes 6 million messages per second, as InfiniBand QDR does. The rates of the clocks wander by 10 ppb within a minute,
 * as an oscillator at a steady temperature does. */
static const struct {
    int cores_per_socket;
    int64_t latency_ns, node_latency_ns, jitter_ns, port_ns;
} machines[HCA3_MACHINES] = {[HCA3_JUPITER] = {8, 2600, 700, 200, 150},
                             [HCA3_HYDRA] = {16, 900, 300, 100, 50},
                             [HCA3_TITAN] = {8, 2200, 500, 300, 150}};

struct ordo_sim_options hca3_cluster(enum hca3_machine machine, int nodes, uint64_t seed)
{
    struct ordo_sim_options options = ordo_sim_defaults();
    options.ranks_per_socket = machines[machine].cores_per_socket;
    options.ranks = nodes * options.ranks_per_socket * options.sockets_per_node;
    options.latency_ns = machines[machine].latency_ns;
    options.node_latency_ns = machines[machine].node_latency_ns;
    options.jitter_ns = machines[machine].jitter_ns;
    options.wander_ppb = 10;
    options.seed = seed;
    return options;
}

void hca3_add_ports(struct ordo_sim_options *cluster, enum hca3_machine machine)
{
    cluster->port_ns = machines[machine].port_ns;
}

struct judged_sync {
    struct ordo_sync_options sync;
    const struct hca3_trial *trial;
    struct ordo_global_check *checks; /* one a rank, for the reference */
    struct hca3_synchronised *result;
};

/* Measures the offsets of the ranks' global clocks by messages, as Algorithm 6 does. */
static int check_clocks(struct ordo_transport *world, struct judged_sync *judged, struct ordo_model *model, int when)
{
    enum { PINGPONG = 20 };
    int count = 0, code = ordo_sync_check(world, model, NULL, PINGPONG, judged->trial->percent, (uint64_t)when + 1,
                                          judged->checks, &count);
    for (int i = 0; i < count && world->rank == 0; i++)
        judged->result->worst_us[when] =
            fmax(judged->result->worst_us[when], (double)llabs(judged->checks[i].offset_ns) / 1e3);
    return code;
}

static int synchronise_and_check(struct ordo_transport *world, void *context)
{
    const int64_t wait_ns = 10000000000;
    struct judged_sync *judged = context;
    struct ordo_sync_options sync = judged->sync;
    struct ordo_model model;
    sync.common_at_ns = sync.common_since_ns = world->now_ns(world);
    int64_t begin_ns = ordo_sim_true_ns(world);
    int code = judged->trial->bare ? sync.main.algorithm->run(world, &sync, &sync.main, &model, NULL)
                                   : ordo_sync_run(world, &sync, NULL, &model, NULL);
    int64_t end_ns = ordo_sim_true_ns(world);
    judged->result->seconds = fmax(judged->result->seconds, (double)(end_ns - begin_ns) / 1e9);
    code = code ? code : check_clocks(world, judged, &model, 0);
    ordo_sim_sleep_until(world, end_ns + wait_ns);
    return code ? code : check_clocks(world, judged, &model, 1);
}

static int synchronise_cluster(const struct hca3_trial *trial, const struct ordo_sim_options *cluster,
                               const char *algorithm, struct hca3_synchronised *result, struct ordo_error *error)
{
    struct judged_sync judged = {.sync = ordo_sync_defaults(), .trial = trial, .result = result};
    struct ordo_sim_result simulated;
    *result = (struct hca3_synchronised){0};
    int code = ordo_sync_read(algorithm, NULL, NULL, NULL, &judged.sync, error);
    if (code)
        return code;
    judged.sync.common_residual_ns = cluster->clocks == ORDO_SIM_PER_NODE ? cluster->granule_ns : -1;
    judged.sync.max_wander_ppb = fmax(judged.sync.max_wander_ppb, 2 * cluster->wander_ppb);
    judged.checks = calloc((size_t)cluster->ranks, sizeof *judged.checks);
    if (!judged.checks)
        return ordo_error_errno(error, "%s", algorithm);
    code = ordo_sim_run(cluster, synchronise_and_check, &judged, &simulated, error);
    result->messages = simulated.messages;
    free(judged.checks);
    return code;
}

int hca3_repeat(const struct hca3_trial *trial, const char *algorithm, struct hca3_series *series,
                struct ordo_error *error)
{
    int code = ORDO_OK;
    series->runs = trial->runs;
    for (int i = 0; i < trial->runs && !code; i++) {
        struct ordo_sim_options cluster =
            hca3_cluster(trial->machine, trial->nodes, trial->seed * HCA3_MOST_RUNS + (uint64_t)i);
        cluster.clocks = trial->apart ? ORDO_SIM_PER_RANK : ORDO_SIM_PER_NODE;
        cluster.wander_ppb = trial->wander_ppb > 0 ? trial->wander_ppb : cluster.wander_ppb;
        code = synchronise_cluster(trial, &cluster, algorithm, &series->run[i], error);
    }
    return code;
}

double hca3_mean_us(const struct hca3_series *series, int when)
{
    double sum = 0;
    for (int i = 0; i < series->runs; i++)
        sum += series->run[i].worst_us[when];
    return sum / series->runs;
}

double hca3_most_us(const struct hca3_series *series, int when)
{
    double most = 0;
    for (int i = 0; i < series->runs; i++)
        most = fmax(most, series->run[i].worst_us[when]);
    return most;
}

double hca3_mean_seconds(const struct hca3_series *series)
{
    double sum = 0;
    for (int i = 0; i < series->runs; i++)
        sum += series->run[i].seconds;
    return sum / series->runs;
}

void hca3_draw(struct ordo_figure_run *run, const struct hca3_contender *contenders, const struct hca3_series *series,
               int count)
{
    static const char *const titles[2] = {"(a) after 0 s", "(b) after 10 s"};
    for (int when = 0; when < 2; when++) {
        struct ordo_figure_panel *panel = ordo_figure_panel(run, titles[when], "synchronisation duration [s]",
                                                            "max. clock offset [us]", ORDO_FIGURE_LINEAR);
        for (int i = 0; i < count; i++) {
            struct ordo_figure_curve *curve = ordo_figure_curve(panel, contenders[i].name, ORDO_FIGURE_POINTS);
            for (int j = 0; j < series[i].runs; j++)
                ordo_figure_point(curve, series[i].run[j].seconds, series[i].run[j].worst_us[when]);
            curve = ordo_figure_curve(panel, "mean", ORDO_FIGURE_LINE);
            double middle = hca3_mean_seconds(&series[i]), mean_us = hca3_mean_us(&series[i], when);
            ordo_figure_point(curve, middle * 0.95, mean_us);
            ordo_figure_point(curve, middle * 1.05, mean_us);
        }
    }
}
