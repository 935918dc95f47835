/* MPI_Comm_split for ranks that share memory.
 *
 * SimGrid's own split sends all colors to rank 0 at the same time: its cost grows with the square of the number of
 * ranks, and dominates a run of 16,384. Here the ranks write their colors into a table; the only messages are a
 * broadcast and a barrier. The communicator itself is SimGrid's, with the messages that it takes. */
#ifndef ORDO_CLUSTER_TRANSPORT_SMPI_SPLIT_H
#define ORDO_CLUSTER_TRANSPORT_SMPI_SPLIT_H

#include <mpi.h>

/** Like MPI_Comm_split, for ranks that are coroutines of one thread. MPI_ERR_NO_MEM on all ranks: out of memory. */
int ordo_smpi_split(MPI_Comm comm, int color, int key, MPI_Comm *part);

#endif
