/* The result as JSON, schema ordo-lab-simulate/1. */
#include "lab/ordo-lab/result.h"
#include "json/builder.h"

struct ordo_json result_errors_json(const struct ordo_net_score *score)
{
    struct ordo_json object = ordo_json_object();
    ordo_json_put_real(&object, "mean_signed", score->mean_signed_ns);
    ordo_json_put_real(&object, "mean_absolute", score->mean_absolute_ns);
    ordo_json_put_real(&object, "stddev", score->stddev_ns);
    ordo_json_put_real(&object, "p50", score->p50_ns);
    ordo_json_put_real(&object, "p75", score->p75_ns);
    ordo_json_put_real(&object, "p95", score->p95_ns);
    ordo_json_put_real(&object, "p99", score->p99_ns);
    ordo_json_put_real(&object, "max", score->max_ns);
    return object;
}

static struct ordo_json protocol_of(const struct protocol_result *protocol)
{
    const struct ordo_net_score *score = &protocol->outcome.score;
    struct ordo_json object = ordo_json_object();
    ordo_json_put_text(&object, "protocol", protocol->name);
    ordo_json_put_int(&object, "hosts", score->hosts);
    ordo_json_put(&object, "error_ns", result_errors_json(score));
    ordo_json_put_real(&object, "bound_ns", score->bound_ns);
    ordo_json_put_bool(&object, "bound_held", score->bound_held);
    ordo_json_put_real(&object, "bytes_per_second_per_host", score->bytes_per_second_per_host);
    ordo_json_put_real(&object, "converged_after_s", score->converged_after_s);
    return object;
}

static struct ordo_json network_of(const struct ordo_net_options *network)
{
    struct ordo_json object = ordo_json_object();
    ordo_json_put_int(&object, "hosts", network->hosts);
    ordo_json_put_text(&object, "shape", ordo_net_shape_name((int)network->shape));
    ordo_json_put_text(&object, "traffic", ordo_net_traffic_name((int)network->traffic.kind));
    ordo_json_put_real(&object, "load_percent", network->traffic.load * 100);
    ordo_json_put_real(&object, "rate_gbps", network->traffic.gbps);
    ordo_json_put_int(&object, "delay_ns", network->delay_ns);
    ordo_json_put_int(&object, "asymmetry_ns", network->asymmetry_ns);
    ordo_json_put_real(&object, "simulated_s", network->seconds);
    ordo_json_put_int(&object, "seed", (int64_t)network->traffic.seed);
    return object;
}

static struct ordo_json edges_of(const struct protocol_result *protocol)
{
    const struct ordo_net_edges *edges = &protocol->outcome.edges;
    struct ordo_json object = ordo_json_object();
    ordo_json_put_text(&object, "protocol", protocol->name);
    ordo_json_put_int(&object, "edges", edges->edges);
    ordo_json_put_real(&object, "pure_share", edges->kept);
    ordo_json_put_real(&object, "alone_stddev_ns", edges->alone_stddev_ns);
    ordo_json_put_real(&object, "graph_stddev_ns", edges->graph_stddev_ns);
    ordo_json_put_real(&object, "ratio", edges->ratio);
    ordo_json_put_real(&object, "straight_ratio", edges->straight_ratio);
    ordo_json_put_real(&object, "independent_ratio", edges->theory);
    return object;
}

static struct ordo_json counters_of(const struct protocol_result *protocol)
{
    const struct ordo_net_counters *counters = &protocol->outcome.counters;
    struct ordo_json object = ordo_json_object();
    ordo_json_put_text(&object, "protocol", protocol->name);
    ordo_json_put_int(&object, "devices", counters->devices);
    ordo_json_put_int(&object, "hops", counters->hops);
    ordo_json_put_int(&object, "simulated_ticks", counters->ticks);
    ordo_json_put_int(&object, "worst_ticks", counters->worst_ticks);
    ordo_json_put_int(&object, "worst_neighbours_ticks", counters->neighbour_ticks);
    ordo_json_put_int(&object, "bound_ticks", counters->bound_ticks);
    ordo_json_put_int(&object, "violations", (int64_t)counters->violations);
    ordo_json_put_real(&object, "counter_ppm", counters->rate_ppm);
    ordo_json_put_real(&object, "slowest_oscillator_ppm", counters->slowest_ppm);
    ordo_json_put_real(&object, "fastest_oscillator_ppm", counters->fastest_ppm);
    ordo_json_put_real(&object, "limit_ppm", counters->limit_ppm);
    ordo_json_put_bool(&object, "rate_held", counters->rate_held);
    return object;
}

static struct ordo_json tree_of(const struct protocol_result *protocol)
{
    const struct ordo_net_osmosis_outcome *tree = &protocol->outcome.tree;
    struct ordo_json object = ordo_json_object();
    ordo_json_put_text(&object, "protocol", protocol->name);
    ordo_json_put_int(&object, "processes", tree->processes);
    ordo_json_put_int(&object, "deepest_hops", tree->deepest);
    ordo_json_put_real(&object, "longest_delay_ns", tree->longest_ns);
    ordo_json_put_int(&object, "register_bits", tree->register_bits);
    ordo_json_put_int(&object, "cuts", tree->cuts);
    ordo_json_put_int(&object, "reroutes", tree->reroutes);
    ordo_json_put_real(&object, "tagged_share", tree->tagged_share);
    ordo_json_put_real(&object, "tagged_max_ns", tree->tagged_worst_ns);
    ordo_json_put_int(&object, "trees", tree->domains);
    ordo_json_put_real(&object, "tree_apart_ns", tree->domain_apart_ns);
    return object;
}

static struct ordo_json servers_of(const struct protocol_result *protocol)
{
    const struct ordo_net_ntp_outcome *servers = &protocol->outcome.servers;
    struct ordo_json object = ordo_json_object(), list = ordo_json_array();
    for (int i = 0; i < servers->servers; i++) {
        struct ordo_json server = ordo_json_object();
        ordo_json_put_bool(&server, "false", i >= servers->servers - servers->false_servers);
        ordo_json_put_real(&server, "rejected_share", servers->rejected[i]);
        ordo_json_add(&list, server);
    }
    ordo_json_put_text(&object, "protocol", protocol->name);
    ordo_json_put(&object, "servers", list);
    ordo_json_put_real(&object, "undecided_share", servers->undecided);
    return object;
}

int result_print_json(const struct result *result)
{
    struct ordo_json document = ordo_json_document("ordo-lab-simulate/1"), protocols = ordo_json_array(),
                     edges = ordo_json_array(), counters = ordo_json_array(), trees = ordo_json_array(),
                     servers = ordo_json_array();
    for (int i = 0; i < result->count; i++) {
        ordo_json_add(&protocols, protocol_of(&result->protocols[i]));
        if (result->protocols[i].outcome.has_edges)
            ordo_json_add(&edges, edges_of(&result->protocols[i]));
        if (result->protocols[i].outcome.has_counters)
            ordo_json_add(&counters, counters_of(&result->protocols[i]));
        if (result->protocols[i].outcome.has_tree)
            ordo_json_add(&trees, tree_of(&result->protocols[i]));
        if (result->protocols[i].outcome.has_servers)
            ordo_json_add(&servers, servers_of(&result->protocols[i]));
    }
    ordo_json_put(&document, "network", network_of(&result->network));
    ordo_json_put(&document, "protocols", protocols);
    ordo_json_put(&document, "edges", edges);
    ordo_json_put(&document, "counters", counters);
    ordo_json_put(&document, "trees", trees);
    ordo_json_put(&document, "servers", servers);
    return ordo_json_write(&document, stdout);
}
