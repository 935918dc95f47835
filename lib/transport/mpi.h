/* The transport over MPI, and what MPI knows about the machine. The only door to MPI of the libraries.
 *
 * Every communicator that is made here returns its errors instead of aborting, and belongs to this library alone, so
 * that no message of the caller is ever met. The functions are collective over the communicator they are given. */
#ifndef ORDO_TRANSPORT_MPI_H
#define ORDO_TRANSPORT_MPI_H

#include <mpi.h>

#include "clock/source.h"
#include "transport/transport.h"

/** A transport over a duplicate of `comm`, whose clock is `source`. Ticks become nanoseconds by one rate per node. */
int ordo_transport_mpi_create(MPI_Comm comm, const struct ordo_clock_source *source, struct ordo_transport **transport,
                              struct ordo_error *error);

/** Its communicator, which stays its own: for collective operations of the library between two of its calls. */
MPI_Comm ordo_transport_mpi_comm(const struct ordo_transport *transport);

/** ORDO_OK, or ORDO_E_SYSTEM with MPI's words for the `code` that `call` returned. */
int ordo_mpi_result(int code, const char *call, struct ordo_error *error);

/** Collective: the worst code of all ranks, so that what one could not do ends it for all before they wait for it.
 * Fills `error` where the own code is 0 and another's is not. */
int ordo_mpi_agree(MPI_Comm comm, int code, struct ordo_error *error);

/** Duplicates `comm`; errors on the duplicate, and those of duplicating, are returned whatever the handler of `comm`
 * does, which is set aside meanwhile. ORDO_E_INVALID before MPI_Init, after MPI_Finalize, of MPI_COMM_NULL and of an
 * intercommunicator. */
int ordo_mpi_duplicate(MPI_Comm comm, MPI_Comm *duplicate, struct ordo_error *error);

/** The ranks of `comm` that can share memory, by MPI's word, and run on one kernel, by its boot id. Fails for all ranks
 * of `comm`, or none. */
int ordo_mpi_split_node(MPI_Comm comm, MPI_Comm *node, struct ordo_error *error);

/** Memory that all ranks of a node have in common, zeroed. */
struct ordo_mpi_segment {
    MPI_Win window;
    void *memory; /* NULL on all ranks where one could not get it, or did not see what the others wrote */
};

void ordo_mpi_segment_create(MPI_Comm node, size_t bytes, struct ordo_mpi_segment *segment);

void ordo_mpi_segment_free(struct ordo_mpi_segment *segment);

#endif
