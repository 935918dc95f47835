/* What the recorder knows of communicators: a number that all its ranks give it, and who its ranks are in MPI_COMM_WORLD.
 *
 *  [G1] The number is the largest that any of its ranks proposes, each the least that it has not used yet. So all agree,
 *       and none has two communicators of one number.
 */
#ifndef ORDO_TRACE_RECORD_COMMUNICATOR_H
#define ORDO_TRACE_RECORD_COMMUNICATOR_H

#include <mpi.h>
#include <stdatomic.h>
#include <stdint.h>

struct ordo_trace_recorder;

struct ordo_trace_communicator {
    uint32_t number, collectives; /* operations on it so far */
    int size, own;                /* its ranks; this one */
    atomic_int users;             /* itself, and receives under way */
    int32_t world[];              /* its ranks in MPI_COMM_WORLD */
};

/** MPI_COMM_WORLD and MPI_COMM_SELF. Returns 0, or ORDO_E_SYSTEM. */
int ordo_trace_communicators_start(struct ordo_trace_recorder *recorder);
void ordo_trace_communicators_stop(void);

/** Collective over `comm`, which has just been made; MPI_COMM_NULL is passed over. */
void ordo_trace_communicator_number(MPI_Comm comm);

/** What is known of it, or NULL: of an intercommunicator, and of one made by a call that is not recorded
 * (MPI_Comm_idup). */
struct ordo_trace_communicator *ordo_trace_communicator_of(MPI_Comm comm);

struct ordo_trace_communicator *ordo_trace_communicator_keep(struct ordo_trace_communicator *communicator);
void ordo_trace_communicator_drop(struct ordo_trace_communicator *communicator);

/** Its rank in MPI_COMM_WORLD; -1 for MPI_PROC_NULL and what else is none. */
static inline int ordo_trace_world_rank(const struct ordo_trace_communicator *communicator, int rank)
{
    return communicator && rank >= 0 && rank < communicator->size ? communicator->world[rank] : -1;
}

#endif
