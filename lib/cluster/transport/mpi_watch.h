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

/** What ranks tell each other of a roll call. */
struct ordo_mpi_note {
    int kind, roll, lost;
};

/** One rank's end of a group that is watched. Used by one thread at a time. */
struct ordo_mpi_watch {
    MPI_Comm comm; /* a duplicate of the caller's, whose errors are returned */
    int rank, size;
    int64_t deadline_ns; /* not positive: none */
    int lost;            /* a rank of `comm`, or -1 */
    unsigned settled;    /* roll calls that all have answered */

    int roll;                                    /* the last roll call */
    int64_t asked_ns, called_ns;                 /* since when one is under way; 0: none is */
    int absent;                                  /* rank 0: who has not answered yet */
    struct ordo_mpi_note notes[16];              /* what is being sent */
    unsigned sent;                               /* counts them */
    _Alignas(max_align_t) unsigned char own[96]; /* what collective calls work on, see ordo_mpi_reduce */
    bool here[];                                 /* rank 0: who has answered */
};

/** Collective: watches a duplicate of `comm`. Errors on the duplicate, and those of duplicating, are returned whatever
 * the handler of `comm` does, which is set aside meanwhile. ORDO_E_INVALID before MPI_Init, after MPI_Finalize, of
 * MPI_COMM_NULL and of an intercommunicator; ORDO_E_SYSTEM, also where not all ranks have come by the deadline: which
 * are missing cannot be told, for nothing may be sent over the caller's communicator. */
int ordo_mpi_watch_create(MPI_Comm comm, int64_t deadline_ns, struct ordo_mpi_watch **watch, struct ordo_error *error);

/** Collective. Where a rank is lost nothing is freed: MPI may still write into what was given to it. */
void ordo_mpi_watch_free(struct ordo_mpi_watch *watch);

/** How long a wait lasts before it asks for a roll call: a third of the deadline. INT64_MAX where there is none. */
int64_t ordo_mpi_watch_patience_ns(const struct ordo_mpi_watch *watch);

/** Answers roll calls: for who pauses longer than 10 ms without waiting. False once a rank is lost. */
bool ordo_mpi_watch_serve(struct ordo_mpi_watch *watch);

/** Returns `code`; where a rank is lost that is the reason, and `error` names it. */
int ordo_mpi_watch_explain(const struct ordo_mpi_watch *watch, int code, struct ordo_error *error);

/** Waits for a `request` on the watched communicator, or on one that was split off it, which the MPI function `call`
 * has just begun and returned `begun` for. ORDO_E_SYSTEM, with ETIMEDOUT where a rank is lost: then a receive is
 * cancelled, but what was given to a send or to a collective function remains MPI's, and may never be freed. */
int ordo_mpi_wait(struct ordo_mpi_watch *watch, int begun, MPI_Request *request, MPI_Status *status, const char *call,
                  struct ordo_error *error);

/** Collective over `comm`, as above: returns when all ranks have come. For those functions of MPI that only exist as
 * blocking ones (split, windows): called right after it they find all ranks there. */
int ordo_mpi_meet(struct ordo_mpi_watch *watch, MPI_Comm comm, struct ordo_error *error);

/** Collective over `comm`: `values`, of at most 96 bytes, become those of all ranks joined by `op`; or become rank 0's.
 * They are the caller's own again whatever happens. */
int ordo_mpi_reduce(struct ordo_mpi_watch *watch, MPI_Comm comm, void *values, int count, MPI_Datatype type, MPI_Op op,
                    struct ordo_error *error);
int ordo_mpi_broadcast(struct ordo_mpi_watch *watch, MPI_Comm comm, void *bytes, int count, struct ordo_error *error);

/** Collective over `comm`: the worst code of all ranks, so that what one could not do ends it for all before they wait
 * for it. Fills `error` where the own code is 0 and another's is not. */
int ordo_mpi_agree(struct ordo_mpi_watch *watch, MPI_Comm comm, int code, struct ordo_error *error);

/** ORDO_OK, or ORDO_E_SYSTEM with MPI's words for the `code` that `call` returned. */
int ordo_mpi_result(int code, const char *call, struct ordo_error *error);

#endif
