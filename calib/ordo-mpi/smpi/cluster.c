/* SimGrid's cluster: how many ranks there are, and on which hosts, smpirun has decided. */
#include "ordo-mpi/smpi/cluster.h"

#include <mpi.h>
#include <stdio.h>

#include "common/report.h"
#include "ordo-mpi/cluster.h"

enum { SOCKETS = 1200, SOFTWARE };

static const struct argp_option argp_options[] = {
    {"sockets-per-node", SOCKETS, "N", 0, "Sockets of each host, which share its ranks evenly (default 2, or 1)", 0},
    {"software-ns", SOFTWARE, "N", 0,
     "What software adds to the platform's latency of every message, before the jitter (default 500)", 0},
    {0},
};

/* The same on all ranks. */
static struct {
    int ranks, on_host;
} the_cluster;

void smpi_cluster_begin(void)
{
    MPI_Comm host;
    int own[2];
    MPI_Comm_size(MPI_COMM_WORLD, &own[0]);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    MPI_Comm_size(host, &own[1]);
    MPI_Comm_free(&host);
    MPI_Bcast(own, 2, MPI_INT, 0, MPI_COMM_WORLD); /* the last host may have fewer */
    the_cluster.ranks = own[0];
    the_cluster.on_host = own[1];
}

static const struct cli_store stores[] = {
    CLI_STORE(SOCKETS, "--sockets-per-node", struct ordo_sim_options, sockets_per_node, 1, 20000),
    CLI_STORE(SOFTWARE, "--software-ns", struct ordo_sim_options, latency_ns, 0, 1000000000),
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct ordo_sim_options *options = state->input;
    if (key != ARGP_KEY_END)
        return cli_store(stores, key, text, state);
    if (the_cluster.on_host % options->sockets_per_node != 0)
        cli_wrong(state, "--sockets-per-node %d: the %d ranks of a host cannot be shared evenly",
                  options->sockets_per_node, the_cluster.on_host);
    options->ranks_per_socket = the_cluster.on_host / options->sockets_per_node;
    return 0;
}

const struct argp mpi_cluster_argp = {argp_options, parse, NULL, NULL, NULL, NULL, NULL};

struct ordo_sim_options mpi_cluster_defaults(void)
{
    struct ordo_sim_options options = ordo_sim_defaults();
    options.ranks = the_cluster.ranks;
    options.sockets_per_node = the_cluster.on_host % 2 ? 1 : 2;
    options.latency_ns = 500;
    return options;
}

const char *mpi_cluster_latency(const struct ordo_sim_options *options, char text[48])
{
    (void)snprintf(text, 48, "the platform's and %lld ns", (long long)options->latency_ns);
    return text;
}
