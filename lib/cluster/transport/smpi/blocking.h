/* SimGrid 3.32 sends its nonblocking collective operations from every rank to every other, all at once, and its
 * reduction in place loses the values that it copied. Its blocking operations are the trees of an MPI library. In a
 * simulation no rank is lost, so the blocking operations do the same: this header puts them in the place of the
 * nonblocking ones, and split.h in the place of SimGrid's split. The compiler includes it before mpi_call.c, which has
 * all of these calls. */
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
