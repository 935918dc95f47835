/* The result as a table for people. */
#include <math.h>
#include <string.h>

#include "base/plural.h"
#include "lab/ordo-lab/result.h"

static void print_network(const struct ordo_net_options *network)
{
    const struct ordo_net_traffic *traffic = &network->traffic;
    printf("%d hosts, %s of %g Gbit/s, %s cross traffic at %g%% of every switch port; %g s, seed %llu\n",
           network->hosts, ordo_net_shape_name((int)network->shape), traffic->gbps,
           ordo_net_traffic_name((int)traffic->kind), traffic->load * 100, network->seconds,
           (unsigned long long)traffic->seed);
}

static void print_number(double value)
{
    if (isnan(value))
        printf(" %9s", "-");
    else
        printf(" %9.*f", fabs(value) >= 1000 ? 0 : fabs(value) >= 0.1 || value == 0 ? 1 : 4, value);
}

static void print_row(const struct protocol_result *protocol, int width)
{
    const struct ordo_net_score *score = &protocol->outcome.score;
    const double columns[] = {score->mean_absolute_ns, score->stddev_ns, score->p50_ns, score->p75_ns,
                              score->p95_ns,           score->p99_ns,    score->max_ns, score->bound_ns};
    printf("%-*s", width, protocol->name);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        print_number(columns[i]);
    printf(" %-6s %9.0f %6.2f\n",
           !score->bound_held       ? "BROKEN"
           : isnan(score->bound_ns) ? "-"
                                    : "held",
           score->bytes_per_second_per_host, score->converged_after_s);
}

static void print_edges(const struct protocol_result *protocol)
{
    const struct ordo_net_edges *edges = &protocol->outcome.edges;
    printf("%s: %d edge%s, %.1f%% of the probes pure; an edge's error by itself %.1f ns, after the graph %.1f ns "
           "(standard deviations): %.3f of it",
           protocol->name, edges->edges, ordo_plural(edges->edges), edges->kept * 100, edges->alone_stddev_ns,
           edges->graph_stddev_ns, edges->ratio);
    if (!isnan(edges->straight_ratio))
        printf(", %.3f but for what clocks bend in a window", edges->straight_ratio);
    printf("; independent errors give %.3f\n", edges->theory);
}

static void print_counters(const struct protocol_result *protocol)
{
    const struct ordo_net_counters *counters = &protocol->outcome.counters;
    printf("%s: in %lld ticks no two of %d counters were more than %lld ticks apart, and no two neighbours more than "
           "%lld; %lld %s allowed over %d hop%s\n",
           protocol->name, (long long)counters->ticks, counters->devices, (long long)counters->worst_ticks,
           (long long)counters->neighbour_ticks, (long long)counters->bound_ticks,
           counters->bound_ticks == 1 ? "is" : "are", counters->hops, ordo_plural(counters->hops));
    printf("%s: the fastest counter ran at %+.1f ppm, the oscillators at %+.1f to %+.1f ppm, of +-%.1f that are "
           "allowed%s\n",
           protocol->name, counters->rate_ppm, counters->slowest_ppm, counters->fastest_ppm, counters->limit_ppm,
           counters->rate_held ? "" : ": TOO FAST");
}

static void print_tree(const struct protocol_result *protocol)
{
    const struct ordo_net_osmosis_outcome *tree = &protocol->outcome.tree;
    printf("%s: a tree of %d processes, %d hop%s and %.1f ns deep; real-time registers need %d bits\n", protocol->name,
           tree->processes, tree->deepest, ordo_plural(tree->deepest), tree->longest_ns, tree->register_bits);
    if (tree->domains > 1)
        printf("%s: at the end there are %d trees; the registers of one tree are at most %.3f ns apart\n",
               protocol->name, tree->domains, tree->domain_apart_ns);
    if (tree->cuts > 0)
        printf("%s: %d channel%s lost, %d process%s rerouted; hosts were tagged as not synchronised for %.2f%% of the "
               "time, and then at most %.1f ns off\n",
               protocol->name, tree->cuts, ordo_plural(tree->cuts), tree->reroutes, tree->reroutes == 1 ? "" : "es",
               tree->tagged_share * 100, isnan(tree->tagged_worst_ns) ? 0 : tree->tagged_worst_ns);
}

static void print_servers(const struct protocol_result *protocol)
{
    const struct ordo_net_ntp_outcome *servers = &protocol->outcome.servers;
    printf("%s: %d servers, not believed in", protocol->name, servers->servers);
    for (int i = 0; i < servers->servers; i++)
        printf("%s %.1f%%", i ? "," : "", servers->rejected[i] * 100);
    printf(" of the selections in which a majority agreed; in %.1f%% none did\n", servers->undecided * 100);
    for (int i = servers->servers - servers->false_servers; i < servers->servers; i++)
        printf("%s: server %d is false, and was %s\n", protocol->name, i,
               servers->rejected[i] > 0.5 ? "rejected" : "BELIEVED");
}

void result_print_table(const struct result *result)
{
    int width = 9;
    for (int i = 0; i < result->count; i++)
        if ((int)strlen(result->protocols[i].name) > width)
            width = (int)strlen(result->protocols[i].name);
    print_network(&result->network);
    printf("%-*s %9s %9s %9s %9s %9s %9s %9s %9s %-6s %9s %6s\n", width, "error, ns", "mean", "stddev", "p50", "p75",
           "p95", "p99", "max", "bound", "bound", "B/s/host", "from s");
    for (int i = 0; i < result->count; i++)
        print_row(&result->protocols[i], width);
    for (int i = 0; i < result->count; i++)
        if (result->protocols[i].outcome.has_edges)
            print_edges(&result->protocols[i]);
    for (int i = 0; i < result->count; i++)
        if (result->protocols[i].outcome.has_counters)
            print_counters(&result->protocols[i]);
    for (int i = 0; i < result->count; i++)
        if (result->protocols[i].outcome.has_tree)
            print_tree(&result->protocols[i]);
    for (int i = 0; i < result->count; i++)
        if (result->protocols[i].outcome.has_servers)
            print_servers(&result->protocols[i]);
}
