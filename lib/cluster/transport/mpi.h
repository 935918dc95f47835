/* The transport over MPI, and the nodes, sockets and shared segments that MPI finds. lib/cluster calls MPI for
 * communication only through the functions of this folder (mpi_call.h).
 *
 * Every communicator that is made here returns errors instead of aborting. It belongs to this library alone, so that
 * its messages cannot match the caller's. A function with an argument of type MPI_Comm is collective over it. */
#ifndef ORDO_CLUSTER_TRANSPORT_MPI_H
#define ORDO_CLUSTER_TRANSPORT_MPI_H

#include <mpi.h>

#include "cluster/transport/mpi_call.h"
#include "cluster/transport/transport.h"
#include "machine/clock/source.h"

/** Makes a transport over a watched duplicate of `comm`, with the clock `source`. If the clock counts ticks, all ranks
 * of a node convert them to nanoseconds by the same rate. If this fails on one rank, it fails on all. */
int ordo_transport_mpi_create(MPI_Comm comm, const struct ordo_clock_source *source, int64_t deadline_ns,
                              struct ordo_transport **transport, struct ordo_error *error);

/** Returns the watch of a transport, for collective operations of the library between two calls of the transport. The
 * transport still owns the watch. */
struct ordo_mpi_watch *ordo_transport_mpi_watch(const struct ordo_transport *transport);

/** Returns the length of a tick of the transport's clock, as 2^32 ns per tick; the same on all ranks of a node. 0: the
 * clock counts nanoseconds. */
uint64_t ordo_transport_mpi_rate(const struct ordo_transport *transport);

/** Splits `comm` into nodes, and returns this rank's node: ranks that can share memory, according to MPI, and have the
 * same boot id of the kernel. If this fails on one rank, it fails on all. */
int ordo_mpi_split_node(struct ordo_mpi_watch *watch, MPI_Comm comm, MPI_Comm *node, struct ordo_error *error);

/** Returns the number of the socket that this thread may run on. INT_MAX: it may run on several, or it is unknown. */
int ordo_mpi_socket(void);

/** Zeroed memory that all ranks of a node share. */
struct ordo_mpi_segment {
    MPI_Win window;
    void *memory; /* NULL on all ranks if one of them has no access, or does not see the others' writes */
};

void ordo_mpi_segment_create(struct ordo_mpi_watch *watch, MPI_Comm node, size_t bytes,
                             struct ordo_mpi_segment *segment);

/** Frees the segment. Does nothing if a rank is lost. */
void ordo_mpi_segment_free(struct ordo_mpi_watch *watch, MPI_Comm node, struct ordo_mpi_segment *segment);

#endif
