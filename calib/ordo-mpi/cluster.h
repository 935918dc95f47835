/* The cluster that `simulate` uses: in ordo-mpi, Ordo's simulated cluster; in ordo-mpi.smpi, SimGrid's. */
#ifndef ORDO_MPI_CLUSTER_H
#define ORDO_MPI_CLUSTER_H

#include "cluster/transport/sim.h"
#include "common/table.h"

/** The rows of the command's options that fill a struct ordo_sim_options. */
extern const struct cli_row mpi_cluster_rows[];
const char *mpi_cluster_check(void *options, char text[400]);

/** Returns the default options. */
struct ordo_sim_options mpi_cluster_defaults(void);

/** Writes the latency as text, for people, and returns it. */
const char *mpi_cluster_latency(const struct ordo_sim_options *options, char text[48]);

#endif
