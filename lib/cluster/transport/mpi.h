/* The transport over MPI, and what MPI knows about the machine. The only door to MPI of the libraries.
 *
 * Every communicator that is made here returns its errors instead of aborting, and belongs to this library alone, so
 * that no message of the caller is ever met. The functions are collective over the communicator they are given. */
#ifndef ORDO_CLUSTER_TRANSPORT_MPI_H
#define ORDO_CLUSTER_TRANSPORT_MPI_H

#include <mpi.h>

#include "cluster/transport/mpi_call.h"
#include "cluster/transport/transport.h"
#include "machine/clock/source.h"

/** A transport over a duplicate of `comm`, which is watched, and whose clock is `source`. Ticks become nanoseconds by
 * one rate per node. Fails for all ranks, or none. */
int ordo_transport_mpi_create(MPI_Comm comm, const struct ordo_clock_source *source, int64_t deadline_ns,
                              struct ordo_transport **transport, struct ordo_error *error);

/** Its watch, which stays its own: for collective operations of the library between two of its calls. */
struct ordo_mpi_watch *ordo_transport_mpi_watch(const struct ordo_transport *transport);

/** 2^32 ns per tick of its clock, the same on all ranks of a node; 0 where the clock counts nanoseconds. */
uint64_t ordo_transport_mpi_rate(const struct ordo_transport *transport);

/** The ranks of `comm` that can share memory, by MPI's word, and run on one kernel, by its boot id. Fails for all ranks
 * of `comm`, or none. */
int ordo_mpi_split_node(struct ordo_mpi_watch *watch, MPI_Comm comm, MPI_Comm *node, struct ordo_error *error);

/** The socket that this thread may run on; INT_MAX, the same for all, where there are several, or none is known. */
int ordo_mpi_socket(void);

/** Memory that all ranks of a node have in common, zeroed. */
struct ordo_mpi_segment {
    MPI_Win window;
    void *memory; /* NULL on all ranks where one could not get it, or did not see what the others wrote */
};

void ordo_mpi_segment_create(struct ordo_mpi_watch *watch, MPI_Comm node, size_t bytes,
                             struct ordo_mpi_segment *segment);

/** Nothing where a rank is lost. */
void ordo_mpi_segment_free(struct ordo_mpi_watch *watch, MPI_Comm node, struct ordo_mpi_segment *segment);

#endif
