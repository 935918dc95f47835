/* Replaces calls of MPI in mpi_call.c for a simulation on SimGrid. The build includes this header before mpi_call.c.
 *
 * Nonblocking collective operations become blocking ones. In SimGrid 3.32, a nonblocking collective operation sends
 * from every rank to every other rank at once, and the nonblocking reduction in place loses values; the blocking
 * operations use trees, as an MPI library does. No rank is lost in a simulation, so they may block. MPI_Comm_split
 * becomes ordo_smpi_split (split.h). */
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
