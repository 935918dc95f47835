/* Waits for ranks of which one may never come: every wait of the library has a deadline, and names the lost rank.
 *
 * MPI does not report that a process has died, and most waiting ranks wait for ranks that wait too. So a rank that has
 * waited for long asks rank 0 for a roll call. Every rank that is alive answers it from within its own wait; a rank
 * that does not answer is lost. If all answer, they are only slow, and the wait begins anew. */
#ifndef ORDO_CLUSTER_TRANSPORT_MPI_WATCH_H
#define ORDO_CLUSTER_TRANSPORT_MPI_WATCH_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/** All other ranks know after this time that a rank is lost, unless another deadline is set. */
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

/** Returns "ordo_mpi_verify", and so on. */
const char *ordo_mpi_where_name(int where);

/** A message of a roll call. */
struct ordo_mpi_note {
    int kind, roll, lost;
    int where, here_where; /* HERE: the sender's call; OUTCOME: that of the lost rank, and rank 0's */
    unsigned calls;        /* ASK, HERE: number of calls that the sender has made */
};

/** One rank's end of a watched group. Used by one thread at a time. */
struct ordo_mpi_watch {
    MPI_Comm comm; /* a duplicate of the caller's, whose errors are returned */
    int rank, size;
    int64_t deadline_ns; /* not positive: none */
    MPI_Request request; /* the one request that is waited for */
    int lost;            /* a rank of `comm`, or -1 */
    unsigned settled;    /* number of roll calls that all ranks have answered */

    int where;      /* enum ordo_mpi_where: this rank's call, */
    unsigned calls; /* and the number of calls so far */
    int lost_where; /* if not 0: the lost rank is alive, but in this call, while rank 0 is in `here_where` */
    int here_where;
    bool suspects; /* a rank may be lost: the next wait asks at once */

    int roll;                                    /* number of the last roll call */
    int64_t asked_ns, called_ns;                 /* begin of the current one; 0: none */
    int absent;                                  /* rank 0: number of ranks that have not answered */
    struct ordo_mpi_note notes[16];              /* notes that MPI may still be sending */
    unsigned sent;                               /* number of notes sent */
    _Alignas(max_align_t) unsigned char own[96]; /* the buffer of collective calls, see ordo_mpi_reduce */
    bool here[];                                 /* rank 0: true for each rank that has answered */
};

/** Returns how long a wait lasts before it asks for a roll call: a third of the deadline. INT64_MAX: no deadline. */
int64_t ordo_mpi_watch_patience_ns(const struct ordo_mpi_watch *watch);

/** Notes that this rank makes a collective call. Call it before the first wait. A roll call compares the calls: ranks
 * that have made equally many calls but are in different ones would wait for each other for ever. */
void ordo_mpi_watch_enter(struct ordo_mpi_watch *watch, enum ordo_mpi_where where);

/** Makes the next wait ask for a roll call at once, because a rank did not answer elsewhere (in shared memory). */
void ordo_mpi_watch_suspect(struct ordo_mpi_watch *watch);

/** Answers roll calls. Call it in every pause of more than 10 ms that is not a wait. False if a rank is lost. */
bool ordo_mpi_watch_serve(struct ordo_mpi_watch *watch);

/** Returns the code that a call should return, and fills `error`.
 * `code`: no rank is lost
 * ORDO_E_SYSTEM: a rank is lost
 * ORDO_E_INVALID: a rank is in another call */
int ordo_mpi_watch_explain(const struct ordo_mpi_watch *watch, int code, struct ordo_error *error);

/** Waits for watch->request, on the watched communicator or on one that was split off it. The MPI function `call` has
 * just begun it and returned `begun`: ORDO_MPI_WAIT (mpi_call.h) does both. ORDO_E_SYSTEM, with ETIMEDOUT if a rank is
 * lost: a receive is then cancelled, but the buffers of a send or of a collective function remain MPI's, and may never
 * be freed. */
int ordo_mpi_wait(struct ordo_mpi_watch *watch, int begun, MPI_Status *status, const char *call,
                  struct ordo_error *error);

#endif
