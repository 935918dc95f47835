#include "cluster.h"

#include <stdio.h>
#include <string.h>

#include "common/report.h"

enum { RANKS = 1200, SOCKET, NODE, LATENCY, NODE_LATENCY, ASYMMETRY };

static const struct argp_option argp_options[] = {
    {"ranks", RANKS, "N", 0, "Ranks of the cluster (default 512)", 0},
    {"ranks-per-socket", SOCKET, "N", 0, "Ranks on each socket (default 8)", 0},
    {"sockets-per-node", NODE, "N", 0, "Sockets of each node (default 2)", 0},
    {"latency-ns", LATENCY, "N", 0, "Least one-way latency between nodes (default 1000)", 0},
    {"node-latency-ns", NODE_LATENCY, "N", 0, "Least one-way latency within a node (default 300)", 0},
    {"asymmetry", ASYMMETRY, "P%", 0, "Difference of the two ways of a link from their mean, in percent (default 0%)",
     0},
    {0},
};

/* "10%" as 0.1. */
static double share(struct argp_state *state, char *text)
{
    if (*text && text[strlen(text) - 1] == '%')
        text[strlen(text) - 1] = '\0';
    return (double)cli_number(state, "--asymmetry", text, 0, 99) / 100;
}

static const struct cli_store stores[] = {
    CLI_STORE(RANKS, "--ranks", struct ordo_sim_options, ranks, 1, 20000),
    CLI_STORE(SOCKET, "--ranks-per-socket", struct ordo_sim_options, ranks_per_socket, 1, 20000),
    CLI_STORE(NODE, "--sockets-per-node", struct ordo_sim_options, sockets_per_node, 1, 20000),
    CLI_STORE(LATENCY, "--latency-ns", struct ordo_sim_options, latency_ns, 1, 1000000000),
    CLI_STORE(NODE_LATENCY, "--node-latency-ns", struct ordo_sim_options, node_latency_ns, 1, 1000000000),
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct ordo_sim_options *options = state->input;
    if (key != ASYMMETRY)
        return cli_store(stores, key, text, state);
    options->asymmetry = share(state, text);
    return 0;
}

const struct argp mpi_cluster_argp = {argp_options, parse, NULL, NULL, NULL, NULL, NULL};

struct ordo_sim_options mpi_cluster_defaults(void)
{
    return ordo_sim_defaults();
}

const char *mpi_cluster_latency(const struct ordo_sim_options *options, char text[48])
{
    (void)snprintf(text, 48, "%lld ns", (long long)options->latency_ns);
    return text;
}
