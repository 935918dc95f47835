/* The numbers of ranks and hosts that smpirun has chosen. */
#ifndef ORDO_MPI_SMPI_CLUSTER_H
#define ORDO_MPI_SMPI_CLUSTER_H

/** Collective over all ranks: counts the ranks, and the ranks on a host. */
void smpi_cluster_begin(void);

#endif
