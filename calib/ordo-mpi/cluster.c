#include "cluster.h"

#include <stdio.h>

static void read_share(const struct cli_given *given, void *member)
{
    *(double *)member = (double)cli_percent(given) / 100;
}

#define VALUE(member) CLI_VALUE(struct ordo_sim_options, member)

const struct cli_row mpi_cluster_rows[] = {
    {.name = "ranks",
     .argument = "N",
     .usual = "512",
     .least = 1,
     .most = 20000,
     VALUE(ranks),
     .help = "Number of ranks of the cluster"},
    {.name = "ranks-per-socket",
     .argument = "N",
     .usual = "8",
     .least = 1,
     .most = 20000,
     VALUE(ranks_per_socket),
     .help = "Ranks on each socket"},
    {.name = "sockets-per-node",
     .argument = "N",
     .usual = "2",
     .least = 1,
     .most = 20000,
     VALUE(sockets_per_node),
     .help = "Sockets of each node"},
    {.name = "latency-ns",
     .argument = "N",
     .usual = "1000",
     .least = 1,
     .most = 1000000000,
     VALUE(latency_ns),
     .help = "Smallest one-way latency between nodes"},
    {.name = "node-latency-ns",
     .argument = "N",
     .usual = "300",
     .least = 1,
     .most = 1000000000,
     VALUE(node_latency_ns),
     .help = "Smallest one-way latency within a node"},
    {.name = "port-ns",
     .argument = "N",
     .usual = "0",
     .most = 1000000,
     VALUE(port_ns),
     .help = "Time for which a message between nodes occupies the port of each node, so that others wait"},
    {.name = "asymmetry",
     .argument = "P%",
     .usual = "0%",
     .most = 99,
     .read = read_share,
     .offset = offsetof(struct ordo_sim_options, asymmetry),
     .help = "Difference of the delays of a link's two directions from their mean, in percent"},
    {0},
};

/* Any combination of numbers is allowed here. */
const char *mpi_cluster_check(void *options, char text[400])
{
    (void)options, (void)text;
    return NULL;
}

struct ordo_sim_options mpi_cluster_defaults(void)
{
    return ordo_sim_defaults();
}

const char *mpi_cluster_latency(const struct ordo_sim_options *options, char text[48])
{
    (void)snprintf(text, 48, "%lld ns", (long long)options->latency_ns);
    return text;
}
