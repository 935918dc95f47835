/* The cluster on which `simulate` runs: Ordo's own, in ordo-mpi, or SimGrid's, in ordo-mpi.smpi. */
#ifndef ORDO_MPI_CLUSTER_H
#define ORDO_MPI_CLUSTER_H

#include "cluster/transport/sim.h"
#include "common/table.h"

/** The options of the cluster, for a struct ordo_sim_options. */
extern const struct cli_row mpi_cluster_rows[];
const char *mpi_cluster_check(void *options, char text[400]);

/** Returns the default options. */
struct ordo_sim_options mpi_cluster_defaults(void);

/** Describes the latency, for people. */
const char *mpi_cluster_latency(const struct ordo_sim_options *options, char text[48]);

#endif
