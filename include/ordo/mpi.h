/* Global time in an MPI program: a clock that all ranks of a communicator share, with a proved bound on every reading.
 *
 *     struct ordo_mpi *clock;
 *     struct ordo_error error;
 *     if (ordo_mpi_create(MPI_COMM_WORLD, NULL, &clock, &error) == 0 && ordo_mpi_verify(clock, &error) == 0 &&
 *         ordo_mpi_sync(clock, NULL, &error) == 0)
 *         event = ordo_mpi_now(clock);                          // on any rank
 *     ordo_global_compare(event, other);                        // 1 later, -1 earlier, 0 cannot be known
 *     ordo_mpi_check(clock, NULL, NULL, NULL, &error);          // collective, later: is the clock still right?
 *     ordo_mpi_free(clock);
 *
 * A program may have any number of contexts, over any communicators. The calls print nothing, never abort, and never
 * receive a message of the program, because each context has its own duplicate of the communicator. The calls return
 * MPI's errors. Link with libordo-mpi, built for the same MPI.
 *
 * No collective call waits forever. A rank is lost if other ranks wait for it and it shows no sign of life. If a rank
 * is lost, the call returns ORDO_E_SYSTEM on the other ranks within the deadline (60 s, see ordo_mpi_set_deadline);
 * `sys_errno` is ETIMEDOUT, and the text names the lost rank. Afterwards every collective call on this context fails at
 * once, and the context can only be freed. Therefore ranks must enter a collective call within two thirds of the
 * deadline of each other. If ranks make different calls, or pass different options, all ranks return ORDO_E_INVALID
 * within the deadline, and the text names a rank. If the text names the different calls, the context can only be freed.
 *
 * There are two exceptions. If some ranks do not enter ordo_mpi_create, its error text cannot name them. MPI calls that
 * split communicators or create windows cannot be interrupted: such a call hangs if a rank is lost in the microseconds
 * between the last check and the call. */
#ifndef ORDO_MPI_H
#define ORDO_MPI_H

#include <mpi.h>

#include <ordo/error.h>
#include <ordo/global.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default) /* the functions of the library */

/** A context: a communicator, a clock, and this rank's knowledge of both. */
struct ordo_mpi;

/** Options of a synchronisation. A field that is 0 or NULL has its default. All ranks must pass the same options, else
 * ORDO_E_INVALID on all. */
struct ordo_mpi_options {
    const char *algorithm; /* "ALGORITHM[:KEY=VALUE,...]", see ordo-mpi(1); default "h2hca" */
    const char *inter;     /* h2hca, h3hca: the algorithm between nodes, default "hca3" */
    const char *socket;    /* h3hca: the algorithm between the sockets of a node, default "hca3" */
    const char *intra;     /* the algorithm within a node (h2hca) or a socket (h3hca), default "clockprop" */
    /* The declared bound on wander: any two averages of one clock's rate within a minute differ by at most this.
     * Default 100; a negative value means 0. */
    double max_wander_ppb;
    double max_skew_ppb; /* declared bound on the error of any clock's rate; default 500,000 (500 ppm) */
    int fallback;        /* not 0: if a node's clock was not verified, measure it instead of failing */
    /* The declared bound on late wander: any two averages of one clock's rate differ by at most this, however far apart
     * in time. The allowed difference grows linearly from max_wander_ppb within a minute to late_wander_ppb within an
     * hour. Default 2000 (2 ppm). A value below max_wander_ppb, or a negative value, means max_wander_ppb. */
    double late_wander_ppb;
};

/** Collective: creates a context. `source` is the name of a clock in the list of `ordo-mpi clocks`; NULL: the hardware
 * clock. On failure `*context` is NULL, which every other call accepts. Returns 0, or
 *
 * - ORDO_E_INVALID: `source` is unknown, or differs between ranks; `comm` is no communicator, or is an
 *   intercommunicator; or the call is made before MPI_Init or after MPI_Finalize;
 * - ORDO_E_SYSTEM. */
int ordo_mpi_create(MPI_Comm comm, const char *source, struct ordo_mpi **context, struct ordo_error *error);

/** Local: sets the time within which a lost rank is detected. All ranks must set the same time; 0: wait forever.
 * Returns 0, or ORDO_E_INVALID. A rank that merely works for a long time inside the library is not lost. */
int ordo_mpi_set_deadline(struct ordo_mpi *context, double seconds, struct ordo_error *error);

/** Collective: checks whether the ranks of each node read one clock, by a measurement in the calling processes. Takes
 * about a second. Returns
 *
 * - 0: on every node it is proved that the ranks' clocks differ by at most a residual;
 * - ORDO_E_UNVERIFIED, on all ranks: on some node a common clock is refuted or remains unknown (the text on the ranks
 *   of that node says which);
 * - ORDO_E_MEASURE, on all ranks: two verifications contradict each other (see below);
 * - ORDO_E_SYSTEM.
 *
 * The result holds for the ordo_mpi_sync calls that follow. It holds only for the CPUs on which the calling threads may
 * run during the call, because only these CPUs are compared.
 *
 * From the second call on, the previous verification is used as well. Two verifications bound the drift of the models
 * that ordo_mpi_sync copies within a node; a longer time between the two gives a smaller bound. If each rank of a node
 * is bound to one CPU, the two verifications must agree. If they disagree, a clock stepped between the two or wanders
 * more than the last ordo_mpi_sync declared, and the call returns ORDO_E_MEASURE. The text names the rank, and rank 0's
 * text also states the amount. In this case nothing is verified, and the next call begins anew. If the ranks of a node
 * may run on other CPUs than at the previous verification, the two verifications of that node are not compared. */
int ordo_mpi_verify(struct ordo_mpi *context, struct ordo_error *error);

/** Collective: (re)synchronises with rank 0's clock; `options` may be NULL. Returns 0, or
 *
 * - ORDO_E_UNVERIFIED: the options are the default, and no ordo_mpi_verify has returned 0;
 * - ORDO_E_MEASURE: a clock stepped, or exceeds the declared wander or skew;
 * - ORDO_E_INVALID: an option contains an unknown word;
 * - ORDO_E_SYSTEM.
 *
 * After a failure the global time is unknown.
 *
 * From the second call on, the previous synchronisation is used as well. The claimed bounds must agree with the new
 * measurement. If they disagree, a clock stepped, and the call returns ORDO_E_MEASURE; the text names the rank, and the
 * next call begins anew. The two measured offsets bound the drift between them; a longer time between the two gives a
 * smaller bound. For example, if the second synchronisation is 50 s after the first, the bounds 10 s later are about a
 * tenth of those after a single synchronisation.
 *
 * A synchronisation ignores all earlier synchronisations, and ordo_mpi_wander begins anew, in these cases:
 *
 * - the options declare more wander, late wander or skew than the last time;
 * - an ordo_mpi_check has refuted a claim since the last synchronisation;
 * - an ordo_mpi_verify since then was the first, refuted a common clock, found that ranks may run on other CPUs than at
 *   the previous verification, or failed with a code other than ORDO_E_UNVERIFIED. */
int ordo_mpi_sync(struct ordo_mpi *context, const struct ordo_mpi_options *options, struct ordo_error *error);

/** Options of a check. A field that is 0 has its default. All ranks must pass the same options, else ORDO_E_INVALID on
 * all. */
struct ordo_mpi_check_options {
    int percent;   /* measured share of the ranks other than rank 0, at least one rank; default 100 */
    int pingpong;  /* exchanges with each rank; default 100 */
    uint64_t seed; /* seed of the random choice of ranks, if not all are checked */
};

/** Collective: rank 0 measures other ranks, one by one, and compares the measured offset of each rank with the interval
 * that the rank claims (Check-Global-Clock of Hunold and Carpen-Amarie, CLUSTER 2018). Call it repeatedly, because only
 * a check detects a clock that has stepped or wanders more than declared. Returns, on all ranks,
 *
 * - 0: no claim is refuted;
 * - ORDO_E_MEASURE: a claim is proved wrong. Rank 0's text names the rank. The global time continues unchanged;
 *   synchronise again;
 * - ORDO_E_INVALID: the context is not synchronised, or an option is out of range;
 * - ORDO_E_SYSTEM.
 *
 * The measurement narrows the bounds of the measured ranks, as a synchronisation does; their estimates continue
 * unchanged, inside the bounds. Checks narrow no bounds while the next ordo_mpi_sync has to begin anew.
 *
 * Rank 0 stores the results in `checks`, in the order of the ranks, and their number in `*count`, even if a claim is
 * refuted. `checks` has space for all ranks but one. Both pointers may be NULL. On the other ranks `checks` is unused,
 * and `*count` becomes 0. */
int ordo_mpi_check(struct ordo_mpi *context, const struct ordo_mpi_check_options *options,
                   struct ordo_global_check *checks, int *count, struct ordo_error *error);

/** One rank's departure from ordo_mpi_harmonize. */
struct ordo_mpi_harmony {
    int64_t at_ns;                /* agreed global time at which all ranks were to leave; equal on all ranks */
    int64_t local_ns;             /* ordo_mpi_local_ns when this rank left: the call's last reading of the clock */
    struct ordo_global_time left; /* local_ns in global time */
    int late;                     /* not 0: this rank received at_ns after that time had passed, and left at once */
};

/** Collective: all ranks wait for each other, and leave at one global time, each by its own estimate. Each call learns
 * how long rank 0's message takes to reach all ranks, for use in the next call. If a rank receives the message too
 * late, it sets `late` in `*harmony`. Returns 0, or
 *
 * - ORDO_E_INVALID: the context is not synchronised;
 * - ORDO_E_SYSTEM.
 *
 * At this moment no rank can know how far apart the ranks left; ordo_mpi_skew computes this later. */
int ordo_mpi_harmonize(struct ordo_mpi *context, struct ordo_mpi_harmony *harmony, struct ordo_error *error);

/** Collective: computes the true time between the departures of the first and the last rank from ordo_mpi_harmonize.
 * All ranks pass their results of one such call. The result is a proved interval, equal on all ranks. It also holds if
 * ranks were late or preempted. Returns 0, or
 *
 * - ORDO_E_INVALID: the context is NULL;
 * - ORDO_E_SYSTEM. */
int ordo_mpi_skew(struct ordo_mpi *context, const struct ordo_mpi_harmony *harmony, struct ordo_global_skew *skew,
                  struct ordo_error *error);

/** Local: returns the global time now, in ns of rank 0's clock. Earlier loads are performed before the clock is read.
 * The time is infinitely uncertain before ordo_mpi_sync.
 *
 * Any thread may call ordo_mpi_now, ordo_mpi_local_ns and ordo_mpi_at while no collective call is in progress. The
 * thread must run on a CPU that the caller of ordo_mpi_verify could run on; on another CPU it may read a clock that was
 * not verified. */
struct ordo_global_time ordo_mpi_now(const struct ordo_mpi *context);

/** Local: returns the context's clock, in ns since its own origin. Use it for frequent events, and convert their times
 * later with ordo_mpi_at. */
int64_t ordo_mpi_local_ns(const struct ordo_mpi *context);

/** Local: returns the global time of a reading of ordo_mpi_local_ns on this rank. The interval is wider the further the
 * reading is from the synchronisation, before or after it. */
struct ordo_global_time ordo_mpi_at(const struct ordo_mpi *context, int64_t local_ns);

/** Local: returns the observed change of this rank's drift between the last two synchronisations; zeros on rank 0. */
struct ordo_global_wander ordo_mpi_wander(const struct ordo_mpi *context);

/** Collective: frees the context; NULL is ignored. Call it before MPI_Finalize. */
void ordo_mpi_free(struct ordo_mpi *context);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
