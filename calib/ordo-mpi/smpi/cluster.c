/* Implements cluster.h with SimGrid's cluster. smpirun has chosen the number of ranks and their hosts. */
#include "ordo-mpi/smpi/cluster.h"

#include <mpi.h>
#include <stdio.h>

#include "ordo-mpi/cluster.h"

#define VALUE(member) CLI_VALUE(struct ordo_sim_options, member)

const struct cli_row mpi_cluster_rows[] = {
    {.name = "sockets-per-node",
     .argument = "N",
     .least = 1,
     .most = 20000,
     VALUE(sockets_per_node),
     .help = "Sockets of each host, which share its ranks evenly (default 2, or 1)"},
    {.name = "software-ns",
     .argument = "N",
     .usual = "500",
     .most = 1000000000,
     VALUE(latency_ns),
     .help = "What software adds to the platform's latency of every message, before the jitter"},
    {0},
};

/* Has the same values on all ranks. */
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
    MPI_Bcast(own, 2, MPI_INT, 0, MPI_COMM_WORLD); /* from rank 0, because the last host may have fewer ranks */
    the_cluster.ranks = own[0];
    the_cluster.on_host = own[1];
}

const char *mpi_cluster_check(void *own, char text[400])
{
    struct ordo_sim_options *options = own;
    (void)snprintf(text, 400, "--sockets-per-node %d: the %d ranks of a host cannot be shared evenly",
                   options->sockets_per_node, the_cluster.on_host);
    options->ranks_per_socket = the_cluster.on_host / options->sockets_per_node;
    return the_cluster.on_host % options->sockets_per_node == 0 ? NULL : text;
}

struct ordo_sim_options mpi_cluster_defaults(void)
{
    struct ordo_sim_options options = ordo_sim_defaults();
    options.ranks = the_cluster.ranks;
    options.sockets_per_node = the_cluster.on_host % 2 ? 1 : 2;
    return options;
}

const char *mpi_cluster_latency(const struct ordo_sim_options *options, char text[48])
{
    (void)snprintf(text, 48, "the platform's and %lld ns", (long long)options->latency_ns);
    return text;
}
