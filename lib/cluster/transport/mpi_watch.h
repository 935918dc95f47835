/* Waiting for ranks of which one may never come: every wait of the library has a deadline, and names who is lost.
 *
 * MPI does not say that a process has died, and of many that wait most wait for others that wait too. So who has waited
 * for long asks rank 0 for a roll call: every rank that is alive answers it from within its own wait, and whoever does
 * not is lost. Where all answer, they only take long, and waiting begins anew. */
#ifndef ORDO_CLUSTER_TRANSPORT_MPI_WATCH_H
#define ORDO_CLUSTER_TRANSPORT_MPI_WATCH_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/** A rank that is lost is known as such after so long, on all others, unless another deadline is set. */
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

/** "ordo_mpi_verify", and so on. */
const char *ordo_mpi_where_name(int where);

/** What ranks tell each other of a roll call. */
struct ordo_mpi_note {
    int kind, roll, lost;
    int where, here_where; /* HERE: the sender's call; OUTCOME: that of the lost rank, and rank 0's */
    unsigned calls;        /* ASK, HERE: how many the sender has made */
};

/** One rank's end of a group that is watched. Used by one thread at a time. */
struct ordo_mpi_watch {
    MPI_Comm comm; /* a duplicate of the caller's, whose errors are returned */
    int rank, size;
    int64_t deadline_ns; /* not positive: none */
    MPI_Request request; /* what is waited for: one at a time */
    int lost;            /* a rank of `comm`, or -1 */
    unsigned settled;    /* roll calls that all have answered */

    int where;      /* enum ordo_mpi_where: this rank's call, */
    unsigned calls; /* and how many there were */
    int lost_where; /* the lost rank is there, and not lost but in another call than `here_where`, rank 0's; else 0 */
    int here_where;
    bool suspects; /* a rank is thought to be lost: the next wait asks at once */

    int roll;                                    /* the last roll call */
    int64_t asked_ns, called_ns;                 /* since when one is under way; 0: none is */
    int absent;                                  /* rank 0: who has not answered yet */
    struct ordo_mpi_note notes[16];              /* what is being sent */
    unsigned sent;                               /* counts them */
    _Alignas(max_align_t) unsigned char own[96]; /* what collective calls work on, see ordo_mpi_reduce */
    bool here[];                                 /* rank 0: who has answered */
};

/** How long a wait lasts before it asks for a roll call: a third of the deadline. INT64_MAX where there is none. */
int64_t ordo_mpi_watch_patience_ns(const struct ordo_mpi_watch *watch);

/** Notes that this rank makes a collective call. Call it before the first wait. A roll call compares the calls: ranks that have made
 * equally many, and are in different ones, would wait for each other for ever. */
void ordo_mpi_watch_enter(struct ordo_mpi_watch *watch, enum ordo_mpi_where where);

/** Has the next wait ask for a roll call at once, because a rank did not answer elsewhere (in shared memory). */
void ordo_mpi_watch_suspect(struct ordo_mpi_watch *watch);

/** Answers roll calls: for who pauses longer than 10 ms without waiting. False once a rank is lost. */
bool ordo_mpi_watch_serve(struct ordo_mpi_watch *watch);

/** Returns `code`; ORDO_E_SYSTEM and `error` if a rank is lost; ORDO_E_INVALID and `error` if it is in another call. */
int ordo_mpi_watch_explain(const struct ordo_mpi_watch *watch, int code, struct ordo_error *error);

/** Waits for watch->request, on the watched communicator or on one that was split off it, which the MPI function `call`
 * has just begun and returned `begun` for: ORDO_MPI_WAIT (mpi_call.h) does both. ORDO_E_SYSTEM, with ETIMEDOUT where a
 * rank is lost: then a receive is cancelled, but what was given to a send or to a collective function remains MPI's,
 * and may never be freed. */
int ordo_mpi_wait(struct ordo_mpi_watch *watch, int begun, MPI_Status *status, const char *call,
                  struct ordo_error *error);

#endif
