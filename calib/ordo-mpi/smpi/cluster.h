/* What smpirun has decided about the cluster. */
#ifndef ORDO_MPI_SMPI_CLUSTER_H
#define ORDO_MPI_SMPI_CLUSTER_H

/** Collective over all ranks: finds out how many there are, and how many on a host. */
void smpi_cluster_begin(void);

#endif
