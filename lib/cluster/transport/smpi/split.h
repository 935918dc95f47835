/* MPI_Comm_split where all ranks share memory.
 *
 * SimGrid's own sends all colors to the one rank 0 at the same time: what that costs grows with the square of the ranks, and for
 * 16,384 of them is most of a run. Here the ranks write them into a table, and a broadcast and a barrier are the messages; the
 * communicator itself is SimGrid's, with the messages that it takes. */
#ifndef ORDO_CLUSTER_TRANSPORT_SMPI_SPLIT_H
#define ORDO_CLUSTER_TRANSPORT_SMPI_SPLIT_H

#include <mpi.h>

/** As MPI_Comm_split, for ranks that are coroutines of one thread. MPI_ERR_NO_MEM on all of them: memory ran out. */
int ordo_smpi_split(MPI_Comm comm, int color, int key, MPI_Comm *part);

#endif
