/* Calls MPI for this library: each call names the function in its error, and none waits for ever. */
#ifndef ORDO_CLUSTER_TRANSPORT_MPI_CALL_H
#define ORDO_CLUSTER_TRANSPORT_MPI_CALL_H

#include "cluster/transport/mpi_result.h"
#include "cluster/transport/mpi_watch.h"

/** Calls a nonblocking function of MPI, without its last argument, the request, and waits until it is done, as
 * ordo_mpi_wait does. */
#define ORDO_MPI_WAIT(watch, error, function, ...)                                                                     \
    ORDO_MPI_WAIT_STATUS(watch, MPI_STATUS_IGNORE, error, function, __VA_ARGS__)
#define ORDO_MPI_WAIT_STATUS(watch, status, error, function, ...)                                                      \
    ordo_mpi_wait(watch, function(__VA_ARGS__, &(watch)->request), status, #function, error)

/** Collective: watches a duplicate of `comm`. Errors on the duplicate, and of the duplication, are returned whatever
 * the error handler of `comm` is; that handler is replaced meanwhile.
 * ORDO_E_INVALID: before MPI_Init, after MPI_Finalize, for MPI_COMM_NULL or an intercommunicator
 * ORDO_E_SYSTEM: MPI failed, or not all ranks have come by the deadline. The missing ranks cannot be named, because
 *     nothing may be sent over the caller's communicator. */
int ordo_mpi_watch_create(MPI_Comm comm, int64_t deadline_ns, struct ordo_mpi_watch **watch, struct ordo_error *error);

/** Collective. If a rank is lost, nothing is freed: MPI may still write into its buffers. */
void ordo_mpi_watch_free(struct ordo_mpi_watch *watch);

/** Collective over `comm`: returns when all ranks have come. For functions of MPI that exist only as blocking ones
 * (split, windows): called right after this barrier, they find all ranks there. */
int ordo_mpi_barrier(struct ordo_mpi_watch *watch, MPI_Comm comm, struct ordo_error *error);

/** Collective over `comm`: `values`, of at most 96 bytes, become those of all ranks joined by `op`, or those of rank 0.
 * After the call they belong to the caller again, even if it fails. */
int ordo_mpi_reduce(struct ordo_mpi_watch *watch, MPI_Comm comm, void *values, int count, MPI_Datatype type, MPI_Op op,
                    struct ordo_error *error);
int ordo_mpi_broadcast(struct ordo_mpi_watch *watch, MPI_Comm comm, void *bytes, int count, struct ordo_error *error);

/** Collective over `comm`: returns the worst code of all ranks, so that an error on one rank ends the operation on all
 * before they wait for it. Fills `error` if the own code is 0 and another's is not. */
int ordo_mpi_agree(struct ordo_mpi_watch *watch, MPI_Comm comm, int code, struct ordo_error *error);

/** Collective over `comm`: ORDO_E_INVALID, on all ranks, if a rank's `words` differ from rank 0's; the text names the
 * rank, and `what` the words are. For options that all ranks must pass alike: otherwise ranks would wait for messages
 * that are never sent. */
int ordo_mpi_same(struct ordo_mpi_watch *watch, MPI_Comm comm, const char *words, const char *what,
                  struct ordo_error *error);

/** MPI_Comm_split, called when all ranks are there. Errors on the part are returned. */
int ordo_mpi_split(struct ordo_mpi_watch *watch, MPI_Comm comm, int color, int key, MPI_Comm *part,
                   struct ordo_error *error);

/** MPI_Comm_free. Does nothing if a rank is lost, because MPI may wait for it. */
void ordo_mpi_part_free(const struct ordo_mpi_watch *watch, MPI_Comm *part);

#endif
