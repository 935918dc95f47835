/* The transport over MPI, and MPI's knowledge of the machine. All communication of lib/cluster over MPI goes through
 * this folder (mpi_call.h).
 *
 * Every communicator that is made here returns its errors instead of aborting, and belongs to this library alone, so
 * that none of its messages meets one of the caller. The functions are collective over the communicator that they
 * get. */
#ifndef ORDO_CLUSTER_TRANSPORT_MPI_H
#define ORDO_CLUSTER_TRANSPORT_MPI_H

#include <mpi.h>

#include "cluster/transport/mpi_call.h"
#include "cluster/transport/transport.h"
#include "machine/clock/source.h"

/** Makes a transport over a watched duplicate of `comm`, whose clock is `source`. Ticks become nanoseconds by one rate
 * per node. Fails for all ranks, or none. */
int ordo_transport_mpi_create(MPI_Comm comm, const struct ordo_clock_source *source, int64_t deadline_ns,
                              struct ordo_transport **transport, struct ordo_error *error);

/** Returns the watch of a transport, which still owns it, for collective operations of the library between two calls of
 * the transport. */
struct ordo_mpi_watch *ordo_transport_mpi_watch(const struct ordo_transport *transport);

/** Returns 2^32 ns per tick of its clock, the same on all ranks of a node; 0: the clock counts nanoseconds. */
uint64_t ordo_transport_mpi_rate(const struct ordo_transport *transport);

/** Splits off the ranks of `comm` that can share memory, according to MPI, and run on one kernel, by its boot id. Fails
 * for all ranks of `comm`, or none. */
int ordo_mpi_split_node(struct ordo_mpi_watch *watch, MPI_Comm comm, MPI_Comm *node, struct ordo_error *error);

/** Returns the socket that this thread may run on. INT_MAX, the same for all ranks: several sockets, or unknown. */
int ordo_mpi_socket(void);

/** Memory that all ranks of a node share, zeroed. */
struct ordo_mpi_segment {
    MPI_Win window;
    void *memory; /* NULL on all ranks if one could not get it, or did not see the writes of the others */
};

void ordo_mpi_segment_create(struct ordo_mpi_watch *watch, MPI_Comm node, size_t bytes,
                             struct ordo_mpi_segment *segment);

/** Frees the segment. Does nothing if a rank is lost. */
void ordo_mpi_segment_free(struct ordo_mpi_watch *watch, MPI_Comm node, struct ordo_mpi_segment *segment);

#endif
