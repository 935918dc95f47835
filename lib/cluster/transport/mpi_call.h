/* Calls MPI for this library. Every error names the MPI function, and no call waits for ever (mpi_watch.h). */
#ifndef ORDO_CLUSTER_TRANSPORT_MPI_CALL_H
#define ORDO_CLUSTER_TRANSPORT_MPI_CALL_H

#include "cluster/transport/mpi_result.h"
#include "cluster/transport/mpi_watch.h"

/** Calls a nonblocking function of MPI with the given arguments, which leave out the last one, the request. Then waits
 * for its completion by ordo_mpi_wait. */
#define ORDO_MPI_WAIT(watch, error, function, ...)                                                                     \
    ORDO_MPI_WAIT_STATUS(watch, MPI_STATUS_IGNORE, error, function, __VA_ARGS__)
#define ORDO_MPI_WAIT_STATUS(watch, status, error, function, ...)                                                      \
    ordo_mpi_wait(watch, function(__VA_ARGS__, &(watch)->request), status, #function, error)

/** Collective: duplicates `comm`, and makes a watch of the duplicate. Errors of the duplication and on the duplicate
 * are returned; for this, the error handler of `comm` is replaced during the duplication.
 * ORDO_E_INVALID: MPI is not initialised or is finalised, or `comm` is MPI_COMM_NULL or an intercommunicator
 * ORDO_E_SYSTEM: MPI failed, a rank is out of memory, or not all ranks made this call by the deadline. The text cannot
 *     name the missing ranks, because nothing may be sent over the caller's communicator. */
int ordo_mpi_watch_create(MPI_Comm comm, int64_t deadline_ns, struct ordo_mpi_watch **watch, struct ordo_error *error);

/** Collective: frees the watch and its communicator. If a rank is lost, frees nothing, because MPI may still write into
 * the buffers. */
void ordo_mpi_watch_free(struct ordo_mpi_watch *watch);

/** Collective over `comm`: returns when all ranks have called it. Use it right before an MPI function that has no
 * nonblocking form (split, windows): the function then finds all ranks, and does not block for long. */
int ordo_mpi_barrier(struct ordo_mpi_watch *watch, MPI_Comm comm, struct ordo_error *error);

/** Collective over `comm`. ordo_mpi_reduce replaces `values` by the combination of all ranks' values by `op`;
 * ordo_mpi_broadcast replaces `bytes` by those of rank 0. At most 96 bytes. MPI works on a copy, so the caller may free
 * `values` or `bytes` after the call, even if the call fails. */
int ordo_mpi_reduce(struct ordo_mpi_watch *watch, MPI_Comm comm, void *values, int count, MPI_Datatype type, MPI_Op op,
                    struct ordo_error *error);
int ordo_mpi_broadcast(struct ordo_mpi_watch *watch, MPI_Comm comm, void *bytes, int count, struct ordo_error *error);

/** Collective over `comm`: returns this rank's code if it is not 0, else the worst code of all ranks. So an error on
 * one rank ends the operation on all ranks, before others wait for this rank. Fills `error` if only another rank
 * failed. */
int ordo_mpi_agree(struct ordo_mpi_watch *watch, MPI_Comm comm, int code, struct ordo_error *error);

/** Collective over `comm`: checks that `words` are the same on all ranks. Use it for options that all ranks must pass
 * alike, because with different options ranks would wait for messages that are never sent. ORDO_E_INVALID, on all
 * ranks: the words of a rank differ from rank 0's; the text names the rank, and begins with `what`. */
int ordo_mpi_same(struct ordo_mpi_watch *watch, MPI_Comm comm, const char *words, const char *what,
                  struct ordo_error *error);

/** Collective: does MPI_Comm_split after a barrier. Operations on `part` return errors instead of aborting. */
int ordo_mpi_split(struct ordo_mpi_watch *watch, MPI_Comm comm, int color, int key, MPI_Comm *part,
                   struct ordo_error *error);

/** Does MPI_Comm_free. Does nothing if a rank is lost, because MPI might wait for the lost rank. */
void ordo_mpi_part_free(const struct ordo_mpi_watch *watch, MPI_Comm *part);

#endif
