/* Waits for other ranks with a deadline. If a rank is lost, the error names it.
 *
 * MPI does not report that a process has died, and most waiting ranks wait for ranks that wait too. So a rank that has
 * waited for a long time asks rank 0 for a roll call: rank 0 sends a note to all ranks, and every living rank answers,
 * also while it waits itself. A rank that does not answer is lost. If all ranks answer, they are only slow, and the
 * wait starts again. */
#ifndef ORDO_CLUSTER_TRANSPORT_MPI_WATCH_H
#define ORDO_CLUSTER_TRANSPORT_MPI_WATCH_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/** The default deadline: all living ranks know after this time that a rank is lost. */
#define ORDO_MPI_DEADLINE_NS INT64_C(60000000000)

/** The collective calls of <ordo/mpi.h>, which all ranks must make in the same order. */
enum ordo_mpi_where {
    ORDO_MPI_ELSEWHERE,
    ORDO_MPI_IN_VERIFY,
    ORDO_MPI_IN_SYNC,
    ORDO_MPI_IN_CHECK,
    ORDO_MPI_IN_HARMONIZE,
    ORDO_MPI_IN_SKEW
};

/** Returns the name of a call, such as "ordo_mpi_verify". */
const char *ordo_mpi_where_name(int where);

/** A message of a roll call. */
struct ordo_mpi_note {
    int kind, roll, lost;
    int where,
        here_where; /* HERE: `where` is the sender's call; OUTCOME: that of the lost rank; here_where: rank 0's */
    unsigned calls; /* ASK, HERE: number of calls that the sender has made */
};

/** The state of one rank in a watched group. Only one thread may use it at a time. */
struct ordo_mpi_watch {
    MPI_Comm comm; /* duplicate of the caller's communicator; its errors are returned */
    int rank, size;
    int64_t deadline_ns; /* <= 0: no deadline */
    MPI_Request request; /* the request that ordo_mpi_wait waits for */
    int lost;            /* the lost rank of `comm`; -1: none */
    unsigned settled;    /* number of roll calls that have ended */

    int where;      /* enum ordo_mpi_where: this rank's present call */
    unsigned calls; /* number of calls that this rank has made, including the present one */
    int lost_where; /* not 0: rank `lost` is alive, but in this call while rank 0 is in `here_where` */
    int here_where;
    bool suspects; /* a rank may be lost: the next wait asks for a roll call at once */

    int roll;                       /* number of the last roll call */
    int64_t asked_ns, called_ns;    /* when this rank asked for, and rank 0 began, the current roll call; 0: none */
    int absent;                     /* rank 0: number of ranks that have not answered */
    struct ordo_mpi_note notes[16]; /* buffers of the last notes, which MPI may still be sending */
    unsigned sent;                  /* number of notes sent */
    _Alignas(max_align_t) unsigned char own[96]; /* buffer for MPI's collective functions, see ordo_mpi_reduce */
    bool here[];                                 /* rank 0: true for each rank that has answered */
};

/** Returns the time after which a wait asks for a roll call: a third of the deadline. INT64_MAX: no deadline. */
int64_t ordo_mpi_watch_patience_ns(const struct ordo_mpi_watch *watch);

/** Records that this rank makes a collective call. Call it before the first wait of the call. A roll call compares the
 * calls of the ranks: two ranks whose n-th calls differ would wait for each other for ever. */
void ordo_mpi_watch_enter(struct ordo_mpi_watch *watch, enum ordo_mpi_where where);

/** Makes the next wait ask for a roll call at once. Call it if a rank did not answer in shared memory. */
void ordo_mpi_watch_suspect(struct ordo_mpi_watch *watch);

/** Answers roll calls. False if a rank is lost. ordo_mpi_wait calls it; in any other pause of more than 10 ms, the
 * caller must. */
bool ordo_mpi_watch_serve(struct ordo_mpi_watch *watch);

/** Returns the code that a call should return, and fills `error`.
 * `code`: no rank is lost
 * ORDO_E_SYSTEM: a rank is lost
 * ORDO_E_INVALID: a rank is in another call than rank 0 */
int ordo_mpi_watch_explain(const struct ordo_mpi_watch *watch, int code, struct ordo_error *error);

/** Waits for watch->request, which the MPI function `call` has just begun, with the result `begun`. Its communicator is
 * the watched one, or was split off it. ORDO_MPI_WAIT (mpi_call.h) calls both functions. ORDO_E_SYSTEM: MPI failed, or,
 * with ETIMEDOUT, a rank is lost. If a rank is lost, a receive is cancelled, but the buffers of a send or of a
 * collective function must never be freed, because MPI still uses them. */
int ordo_mpi_wait(struct ordo_mpi_watch *watch, int begun, MPI_Status *status, const char *call,
                  struct ordo_error *error);

#endif
