#include "lab/net/huygens/edges.h"

#include <math.h>
#include <stdlib.h>

#include "base/minmax.h"
#include "base/regression.h"

enum { LEAST_MOMENTS = 5, MOST_MOMENTS = 64 };

bool ordo_net_edge_errors_make(struct ordo_net_edge_errors *errors, int hosts)
{
    *errors = (struct ordo_net_edge_errors){.at_zero_ps = calloc((size_t)hosts, sizeof *errors->at_zero_ps),
                                            .slope = calloc((size_t)hosts, sizeof *errors->slope)};
    return errors->at_zero_ps && errors->slope;
}

void ordo_net_edge_errors_free(struct ordo_net_edge_errors *errors)
{
    free(errors->at_zero_ps);
    free(errors->slope);
}

static double truth_ps(const struct ordo_net *net, int host, int64_t true_ps)
{
    return (double)(ordo_net_clock_true(net, host, true_ps) - ordo_net_clock_true(net, 0, true_ps));
}

void ordo_net_edge_errors_begin(struct ordo_net_edge_errors *errors, const struct ordo_net *net,
                                const int64_t *moment_ps, int moments)
{
    double at_ps[MOST_MOMENTS], offset_ps[MOST_MOMENTS];
    int hosts = ordo_net_options_of(net)->hosts, count = (int)ordo_min(moments, MOST_MOMENTS);
    errors->straight = count >= LEAST_MOMENTS;
    for (int host = 0; errors->straight && host < hosts; host++) {
        for (int i = 0; i < count; i++) {
            at_ps[i] = (double)moment_ps[i];
            offset_ps[i] = truth_ps(net, host, moment_ps[i]);
        }
        struct ordo_line line = ordo_stats_line(at_ps, offset_ps, (size_t)count);
        errors->at_zero_ps[host] = line.at_zero;
        errors->slope[host] = line.slope;
    }
}

static void add_to_sums(struct ordo_net_edge_sums *sums, double value)
{
    sums->count++;
    sums->sum += value;
    sums->squares += value * value;
}

static double line_ps(const struct ordo_net_edge_errors *errors, int host, int64_t true_ps)
{
    return errors->at_zero_ps[host] + errors->slope[host] * (double)true_ps;
}

void ordo_net_edge_errors_add(struct ordo_net_edge_errors *errors, const struct ordo_net *net,
                              const struct ordo_net_window *window, int64_t true_ps)
{
    for (int i = 0; i < window->mesh->edges; i++) {
        int a = window->mesh->edge[i].a, b = window->mesh->edge[i].b;
        if (!window->used[i] || window->via[a] < -1)
            continue;
        double alone_ps = window->offset_ps[i], graph_ps = window->potential_ps[b] - window->potential_ps[a];
        double apart_ps = truth_ps(net, b, true_ps) - truth_ps(net, a, true_ps);
        add_to_sums(&errors->alone, alone_ps - apart_ps);
        add_to_sums(&errors->graph, graph_ps - apart_ps);
        if (!errors->straight)
            continue;
        double straight_ps = line_ps(errors, b, true_ps) - line_ps(errors, a, true_ps);
        add_to_sums(&errors->straight_alone, alone_ps - straight_ps);
        add_to_sums(&errors->straight_graph, graph_ps - straight_ps);
    }
}

static double deviation(const struct ordo_net_edge_sums *sums)
{
    double mean = sums->sum / sums->count;
    return sqrt(fmax(sums->squares / sums->count - mean * mean, 0));
}

void ordo_net_edge_errors_describe(const struct ordo_net_edge_errors *errors, struct ordo_net_edges *edges)
{
    edges->alone_stddev_ns = deviation(&errors->alone) * 1e-3;
    edges->graph_stddev_ns = deviation(&errors->graph) * 1e-3;
    edges->ratio = edges->graph_stddev_ns / edges->alone_stddev_ns;
    edges->straight_ratio = deviation(&errors->straight_graph) / deviation(&errors->straight_alone);
}
