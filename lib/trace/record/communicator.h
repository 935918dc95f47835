/* The communicators of this rank, each with a number that is unique in the run, and with its ranks in MPI_COMM_WORLD.
 *
 *  [G1] A communicator takes its number from its lowest rank in MPI_COMM_WORLD, and a rank gives each number once. The
 *       pair (number, lowest rank) is therefore unique, although one call may make disjoint communicators, and threads
 *       may make several communicators at the same time.
 *  [G2] The ranks agree by a collective call on the new communicator. Ranks of another MPI_COMM_WORLD (spawned or
 *       connected) may run without a recorder, and would take this call for one of the program. Therefore a
 *       communicator with such ranks gets no number, and only its calls are recorded. Each rank decides this by the
 *       groups alone, without a message.
 */
#ifndef ORDO_TRACE_RECORD_COMMUNICATOR_H
#define ORDO_TRACE_RECORD_COMMUNICATOR_H

#include <mpi.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct ordo_trace_recorder;

struct ordo_trace_communicator {
    uint32_t index;       /* index in this rank's file */
    uint32_t collectives; /* number of collective operations on the communicator so far */
    int own;              /* number of this rank in its group */
    int size;             /* number of ranks in `world` */
    bool two_groups;      /* an intercommunicator */
    atomic_int users;     /* references: one of the communicator itself, and one of each receive under way */
    int32_t world[];      /* its ranks, or the ranks of the other group, as ranks in MPI_COMM_WORLD */
};

/** Describes MPI_COMM_WORLD and MPI_COMM_SELF. Returns 0, or ORDO_E_SYSTEM. */
int ordo_trace_communicators_start(struct ordo_trace_recorder *recorder);
void ordo_trace_communicators_stop(void);

/** Numbers a new communicator. Collective over `comm`; does nothing for MPI_COMM_NULL. */
void ordo_trace_communicator_number(MPI_Comm comm);

/** An agreement on the number of a communicator that MPI_Comm_idup is making. */
struct ordo_trace_naming;

/** Begins to agree on the number of *made, a copy of `comm`. Collective over `comm`; does not block. Returns NULL if
 * the copy gets no number. */
struct ordo_trace_naming *ordo_trace_naming_begin(MPI_Comm comm, MPI_Comm *made);

/** Numbers the copy, which must be complete, and frees `naming`. Waits until all ranks have called
 * ordo_trace_naming_begin; once the copy is complete, all ranks have done so. */
void ordo_trace_naming_end(struct ordo_trace_naming *naming);

/** Returns the description of a communicator. Returns NULL if it has no number: by [G2], or because a call that is not
 * recorded has made it. */
struct ordo_trace_communicator *ordo_trace_communicator_of(MPI_Comm comm);

struct ordo_trace_communicator *ordo_trace_communicator_keep(struct ordo_trace_communicator *communicator);
void ordo_trace_communicator_drop(struct ordo_trace_communicator *communicator);

/** Returns the rank in MPI_COMM_WORLD of a source or destination; -1 if it is not a rank, such as MPI_PROC_NULL. */
static inline int ordo_trace_world_rank(const struct ordo_trace_communicator *communicator, int rank)
{
    return communicator && rank >= 0 && rank < communicator->size ? communicator->world[rank] : -1;
}

#endif
