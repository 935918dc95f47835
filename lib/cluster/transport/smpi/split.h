/* MPI_Comm_split for ranks that share memory.
 *
 * In SimGrid's own MPI_Comm_split, all ranks send their colors to rank 0 at the same time. Its cost grows with the
 * square of the number of ranks, and dominates a run of 16,384 ranks. In this split, the ranks write their colors into
 * a table. Its messages are a broadcast, a barrier, and those with which SimGrid makes the communicator. */
#ifndef ORDO_CLUSTER_TRANSPORT_SMPI_SPLIT_H
#define ORDO_CLUSTER_TRANSPORT_SMPI_SPLIT_H

#include <mpi.h>

/** Does MPI_Comm_split for ranks that are coroutines of one thread. MPI_ERR_NO_MEM, on all ranks: out of memory. */
int ordo_smpi_split(MPI_Comm comm, int color, int key, MPI_Comm *part);

#endif
