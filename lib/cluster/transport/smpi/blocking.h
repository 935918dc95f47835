/* SimGrid 3.32 sends its nonblocking collective operations from every rank to every other, all at once, and its reduction in place
 * loses what it copied; the blocking ones are the trees of an MPI library. Where nothing is ever lost they do the same, so
 * they take their place, and split.h that of SimGrid's splitting: the compiler includes this before mpi_call.c, where all of them
 * are. */
#ifndef ORDO_CLUSTER_TRANSPORT_SMPI_BLOCKING_H
#define ORDO_CLUSTER_TRANSPORT_SMPI_BLOCKING_H

#include <mpi.h>

#include "cluster/transport/smpi/split.h"

#define MPI_Comm_split(comm, color, key, part) ordo_smpi_split(comm, color, key, part)
#define MPI_Ibarrier(comm, request) (*(request) = MPI_REQUEST_NULL, MPI_Barrier(comm))
#define MPI_Ibcast(buffer, count, type, root, comm, request)                                                           \
    (*(request) = MPI_REQUEST_NULL, MPI_Bcast(buffer, count, type, root, comm))
#define MPI_Iallreduce(send, receive, count, type, op, comm, request)                                                  \
    (*(request) = MPI_REQUEST_NULL, MPI_Allreduce(send, receive, count, type, op, comm))

#endif
