/* The coded probes: which pairs are pure, and for how long they waited in queues. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/quantile.h"
#include "lab/figures/huygens/huygens.h"
#include "lab/figures/huygens/probing.h"
#include "lab/figures/simulate.h"

enum { HOSTS = 32, FLOWS_MOST = 2 * 4 * HOSTS, PAIRS_MOST = 400000, DRAWN = 200 };

/* The delays of all pairs, [1] of pure pairs; in ps. */
struct delays {
    int64_t *of[2];
    int count[2];
};

static void note_pair(void *context, int flow, double delay_ps, bool pure)
{
    struct delays *delays = context;
    (void)flow;
    for (int i = 0; i <= pure; i++)
        if (delays->count[i] < PAIRS_MOST)
            delays->of[i][delays->count[i]++] = llround(delay_ps);
}

/* Draws the distribution of the delays. Returns their mean in ns. */
static double draw_delays(struct ordo_figure_panel *panel, const char *name, int64_t *delay, int count)
{
    struct ordo_figure_curve *curve = ordo_figure_curve(panel, name, ORDO_FIGURE_LINE);
    double sum = 0;
    ordo_stats_sort_int(delay, (size_t)count);
    for (int i = 0; i < count; i++)
        sum += (double)delay[i] * 1e-3 / count;
    for (int i = 0; count > 0 && i < DRAWN; i++)
        ordo_figure_point(curve, (double)delay[(int64_t)i * count / DRAWN] * 1e-3, (double)i / DRAWN);
    return sum;
}

static int watch_load(const struct ordo_figure_run *run, double load, struct delays *delays, struct ordo_error *error)
{
    static const struct figure_probing_calls calls = {.pair = note_pair};
    struct ordo_net_options options = ordo_figure_network(run, ORDO_NET_CLOS, HOSTS, 0.3);
    options.traffic.load = load;
    delays->count[0] = delays->count[1] = 0;
    return figure_probe(&options, 4, &calls, delays, error);
}

int figure_huygens_probes(struct ordo_figure_run *run, struct ordo_error *error)
{
    static const int loads[] = {10, 40, 80};
    struct delays delays = {{malloc(PAIRS_MOST * sizeof(int64_t)), malloc(PAIRS_MOST * sizeof(int64_t))}, {0, 0}};
    double pure_share[3], mean_ns[3][2];
    int code = delays.of[0] && delays.of[1] ? ORDO_OK : ordo_error_errno(error, "the delays of probes");
    for (int i = 0; !code && i < 3; i++) {
        char title[60];
        (void)snprintf(title, sizeof title, "%d%% load", loads[i]);
        code = watch_load(run, loads[i] * 1e-2, &delays, error);
        if (code)
            break;
        struct ordo_figure_panel *panel =
            ordo_figure_panel(run, title, "delay (ns)", "share of smaller delays", ORDO_FIGURE_LINEAR);
        pure_share[i] = (double)delays.count[1] / delays.count[0];
        mean_ns[i][0] = draw_delays(panel, "all pairs", delays.of[0], delays.count[0]);
        mean_ns[i][1] = draw_delays(panel, "pure pairs", delays.of[1], delays.count[1]);
    }
    free(delays.of[0]);
    free(delays.of[1]);
    if (code)
        return code;
    ordo_figure_claim(run, pure_share[0] > pure_share[1] && pure_share[1] > pure_share[2],
                      "the more load, the fewer pairs are pure");
    ordo_figure_claim(run, pure_share[2] > 0.2, "even at 80% load a fifth of the pairs is pure");
    ordo_figure_claim(run, mean_ns[1][1] < mean_ns[1][0] && mean_ns[2][1] < mean_ns[2][0],
                      "pure pairs have shorter delays than others, thus met fewer queues");
    return ORDO_OK;
}

/* By flow: the shortest delay of a pure pair; 0: there was none. */
struct shortest {
    double least_ps[FLOWS_MOST];
};

static void take_shortest(void *context, int flow, double delay_ps, bool pure)
{
    struct shortest *shortest = context;
    if (pure && flow < FLOWS_MOST && (shortest->least_ps[flow] == 0 || delay_ps < shortest->least_ps[flow]))
        shortest->least_ps[flow] = delay_ps;
}

/* Compares the shortest delay under load with that of an idle network, on each flow. Returns the share of the flows on
 * which some pure pair of a second waited for less than 50 ns. */
static int watch_paths(const struct ordo_figure_run *run, enum ordo_net_shape_kind shape, double load,
                       struct ordo_figure_curve *curve, double *share, struct ordo_error *error)
{
    static const struct figure_probing_calls calls = {.pair = take_shortest};
    struct shortest idle = {{0}}, busy = {{0}};
    struct ordo_net_options options = ordo_figure_network(run, shape, HOSTS, 1);
    int flows = 0, unhindered = 0;
    options.traffic.load = 0;
    int code = figure_probe(&options, 4, &calls, &idle, error);
    options.traffic.load = load;
    if (!code)
        code = figure_probe(&options, 4, &calls, &busy, error);
    for (int flow = 0; !code && flow < FLOWS_MOST; flow++) {
        if (idle.least_ps[flow] == 0)
            continue;
        double wait_ns = busy.least_ps[flow] > 0 ? (busy.least_ps[flow] - idle.least_ps[flow]) * 1e-3 : 1e6;
        ordo_figure_point(curve, flows++, wait_ns);
        unhindered += wait_ns < 50;
    }
    *share = flows > 0 ? (double)unhindered / flows : 0;
    return code;
}

/* Five switches are between hosts of different pods of a fat tree, and three in a Clos network of two stages. */
int figure_huygens_paths(struct ordo_figure_run *run, struct ordo_error *error)
{
    struct ordo_figure_panel *panel = ordo_figure_panel(run, "32 hosts, probes of a second", "a direction of two hosts",
                                                        "shortest wait in queues (ns)", ORDO_FIGURE_LINEAR);
    double clos = 0, tree = 0;
    int code = watch_paths(run, ORDO_NET_CLOS, 0.8,
                           ordo_figure_curve(panel, "Clos network, 80% load", ORDO_FIGURE_POINTS), &clos, error);
    if (!code)
        code = watch_paths(run, ORDO_NET_FAT_TREE, 0.5,
                           ordo_figure_curve(panel, "fat tree, 50% load", ORDO_FIGURE_POINTS), &tree, error);
    if (code)
        return code;
    ordo_figure_claim(run, clos == 1,
                      "at 80% load of a Clos network, some probe between any two hosts waits for less than 50 ns");
    ordo_figure_claim(run, tree == 1,
                      "at 50% load of a fat tree of three stages, some probe between any two hosts does, too");
    return ORDO_OK;
}
