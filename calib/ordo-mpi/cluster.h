/* The cluster that `simulate` runs on: Ordo's own, in ordo-mpi, or SimGrid's, in ordo-mpi.smpi. */
#ifndef ORDO_MPI_CLUSTER_H
#define ORDO_MPI_CLUSTER_H

#include <argp.h>

#include "cluster/transport/sim.h"

/** Its options, as a child of the command's parser: the input is a struct ordo_sim_options. */
extern const struct argp mpi_cluster_argp;

/** What they are where none is given. */
struct ordo_sim_options mpi_cluster_defaults(void);

/** What is known of the latency, for people. */
const char *mpi_cluster_latency(const struct ordo_sim_options *options, char text[48]);

#endif
