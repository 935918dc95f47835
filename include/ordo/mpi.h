/* Global time in an MPI program: a clock that all ranks of a communicator share, with a proved bound on every reading.
 *
 *     struct ordo_mpi *clock;
 *     struct ordo_error error;
 *     if (ordo_mpi_create(MPI_COMM_WORLD, NULL, &clock, &error) == 0 && ordo_mpi_verify(clock, &error) == 0 &&
 *         ordo_mpi_sync(clock, NULL, &error) == 0)
 *         event = ordo_mpi_now(clock);                          // on any rank
 *     ordo_global_compare(event, other);                        // 1 later, -1 earlier, 0 cannot be known
 *     ordo_mpi_check(clock, NULL, NULL, NULL, &error);          // collective, later: does it still hold?
 *     ordo_mpi_free(clock);
 *
 * A program may have any number of contexts, over any communicators. Nothing is printed, nothing aborts, and no message
 * of the program is intercepted: each context has its own duplicate of the communicator, whose errors are returned.
 * Link with libordo-mpi, built for the same MPI.
 *
 * No collective call waits for ever. A rank is lost if others wait for it and it shows no sign of life. Within the
 * deadline (60 s, see ordo_mpi_set_deadline) the call then returns ORDO_E_SYSTEM on the others, `sys_errno` is
 * ETIMEDOUT, and the text names the rank. After this the context can only be freed: every collective call fails at
 * once. Therefore ranks must enter a collective call within two thirds of the deadline of each other. If ranks make
 * different calls, or pass different options, all return ORDO_E_INVALID within the deadline, and the text names a rank.
 * If the text says in which calls the ranks are, the context can only be freed. (If not all ranks enter ordo_mpi_create
 * itself, the text cannot say which are missing. MPI has calls that cannot be interrupted, to split communicators and
 * to make windows: a rank that is lost in the microseconds between the last check and such a call makes it hang.) */
#ifndef ORDO_MPI_H
#define ORDO_MPI_H

#include <mpi.h>

#include <ordo/error.h>
#include <ordo/global.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default) /* the functions of the library */

/** A context: a communicator, a clock, and this rank's knowledge about them. */
struct ordo_mpi;

/** Options of a synchronisation. A field that is 0 or NULL has its default. All ranks must pass the same options, else
 * ORDO_E_INVALID on all. */
struct ordo_mpi_options {
    const char *algorithm; /* "ALGORITHM[:KEY=VALUE,...]", see ordo-mpi(1); default "h2hca" */
    const char *inter;     /* with h2hca and h3hca: between nodes, default "hca3" */
    const char *socket;    /* h3hca: between the sockets of a node, default "hca3" */
    const char *intra;     /* within a node (h2hca) or a socket (h3hca), default "clockprop" */
    /* Declared: no two averages of one clock's rate within a minute differ by more. Default 100; negative: 0. */
    double max_wander_ppb;
    double max_skew_ppb; /* declared: no clock's rate is wrong by more; default 500,000 (500 ppm) */
    int fallback;        /* not 0: if a clock was not verified, measure instead of refusing */
    /* Declared: no two averages differ by more, however far apart. The allowed difference grows linearly from
     * max_wander_ppb within a minute to this within an hour. Default 2000 (2 ppm); never less than max_wander_ppb;
     * negative: max_wander_ppb. */
    double late_wander_ppb;
};

/** Collective: creates a context. `source` names a clock as `ordo-mpi clocks` lists them; NULL is the hardware's. On
 * failure `*context` is NULL, which every other call accepts. Returns 0, or
 *
 * - ORDO_E_INVALID: the name is not known, or not the same on all ranks; no communicator, or an intercommunicator;
 *   before MPI_Init or after MPI_Finalize;
 * - ORDO_E_SYSTEM. */
int ordo_mpi_create(MPI_Comm comm, const char *source, struct ordo_mpi **context, struct ordo_error *error);

/** Local: sets the time within which a lost rank is detected. All ranks must set the same; 0: for ever. Returns 0, or
 * ORDO_E_INVALID. A rank that only takes long, in the library, is not lost. */
int ordo_mpi_set_deadline(struct ordo_mpi *context, double seconds, struct ordo_error *error);

/** Collective, about a second: checks whether the ranks of each node read one clock, in these very processes. Returns
 *
 * - 0: proved to within a residual, on all nodes;
 * - ORDO_E_UNVERIFIED, on all ranks: refuted, or not known (the text says which, on the ranks concerned);
 * - ORDO_E_MEASURE, on all ranks: two verifications contradict each other (below);
 * - ORDO_E_SYSTEM.
 *
 * The result holds for the ordo_mpi_sync calls that follow, and for the CPUs that the calling threads may run on at
 * this moment: only those are compared.
 *
 * From the second call on, the verification before is used as well. Two verifications bound the drift of the models
 * that ordo_mpi_sync copies within a node, and the longer the time between them, the better. If each rank of a node is
 * bound to one CPU, the two verifications must agree. Otherwise a clock stepped between the two, or wanders more than
 * the last ordo_mpi_sync declared: ORDO_E_MEASURE. The text names the rank, and rank 0's says by how much; nothing is
 * verified then, and the next call begins anew. For a node whose ranks may run on other CPUs than before, nothing is
 * concluded. */
int ordo_mpi_verify(struct ordo_mpi *context, struct ordo_error *error);

/** Collective: (re)synchronises with rank 0's clock; `options` may be NULL. Returns 0, or
 *
 * - ORDO_E_UNVERIFIED: with the default options, if no ordo_mpi_verify has returned 0;
 * - ORDO_E_MEASURE: a clock stepped, or is worse than declared;
 * - ORDO_E_INVALID: a word of the options is not known;
 * - ORDO_E_SYSTEM.
 *
 * After a failure, the time is not known any more.
 *
 * From the second call on, the synchronisation before is used as well. The claimed bounds must agree with the new
 * measurement; if they do not, a clock stepped (ORDO_E_MEASURE, the text names the rank; synchronise again, from
 * nothing). The offsets then and now bound the drift between, and the longer the time between, the better. Ten seconds
 * after the second synchronisation, a minute after the first, bounds are about ten times as narrow as after one
 * synchronisation. The synchronisation begins anew, and ordo_mpi_wander with it, if more wander, late wander or skew is
 * declared than the last time, after an ordo_mpi_check that refuted a claim, and after an ordo_mpi_verify that was the
 * first, refuted a common clock, found that ranks may run on other CPUs than at the verification before, or ended with
 * another error than ORDO_E_UNVERIFIED. */
int ordo_mpi_sync(struct ordo_mpi *context, const struct ordo_mpi_options *options, struct ordo_error *error);

/** Options of a check. A field that is 0 has its default. All ranks must pass the same options, else ORDO_E_INVALID on
 * all. */
struct ordo_mpi_check_options {
    int percent;   /* share of the ranks other than rank 0, at least one rank; default 100 */
    int pingpong;  /* exchanges with each rank; default 100 */
    uint64_t seed; /* of the choice of the ranks, if not all are checked */
};

/** Collective: rank 0 measures other ranks, one by one, and compares each with the claim of its clock
 * (Check-Global-Clock of Hunold and Carpen-Amarie, CLUSTER 2018). Call it again later, because only a check finds a
 * clock that has stepped, or wanders more than was declared. Returns, on all ranks,
 *
 * - 0: nothing is refuted;
 * - ORDO_E_MEASURE: a claim is proved wrong (rank 0's text names the rank; time goes on as before: synchronise again);
 * - ORDO_E_INVALID: not synchronised, or an option out of range;
 * - ORDO_E_SYSTEM.
 *
 * The measurement narrows the bounds of the measured ranks, as a synchronisation does; estimates go on as before,
 * inside them. If an event requires the next ordo_mpi_sync to begin anew, checks narrow nothing until then.
 *
 * On rank 0 the results of the measured ranks are stored in `checks`, in the order of the ranks (room for all ranks but
 * one), and their number in `count`, even if a claim is refuted. Both may be NULL, and are not used on other ranks
 * (`count` becomes 0). */
int ordo_mpi_check(struct ordo_mpi *context, const struct ordo_mpi_check_options *options,
                   struct ordo_global_check *checks, int *count, struct ordo_error *error);

/** One rank's departure from ordo_mpi_harmonize. */
struct ordo_mpi_harmony {
    int64_t at_ns;                /* when all ranks were to leave, in global time: the same on all ranks */
    int64_t local_ns;             /* ordo_mpi_local_ns when this rank left: the last reading of the call */
    struct ordo_global_time left; /* the same in global time */
    int late;                     /* not 0: this rank received the time after it had passed, and left at once */
};

/** Collective: all ranks wait for each other, and leave at the same global time, each by its own estimate. Each call
 * learns, for the next one, the time that rank 0's message needs to reach all ranks. A rank that receives the message
 * too late says so in `harmony`. Returns 0, or
 *
 * - ORDO_E_INVALID: not synchronised;
 * - ORDO_E_SYSTEM.
 *
 * A rank that leaves in time cannot know how far apart the ranks have left: call ordo_mpi_skew later. */
int ordo_mpi_harmonize(struct ordo_mpi *context, struct ordo_mpi_harmony *harmony, struct ordo_error *error);

/** Collective: computes how far apart in true time the first and the last rank have left. Each rank passes its result
 * of the same call of ordo_mpi_harmonize. The result is a proved interval, the same on all ranks, that holds for late
 * ranks and for preempted ranks as well. Returns 0, or
 *
 * - ORDO_E_INVALID: no context;
 * - ORDO_E_SYSTEM. */
int ordo_mpi_skew(struct ordo_mpi *context, const struct ordo_mpi_harmony *harmony, struct ordo_global_skew *skew,
                  struct ordo_error *error);

/** Local: returns the global time now, in ns of rank 0's clock. Performs earlier loads first. Infinitely uncertain
 * before ordo_mpi_sync. Any thread may call it, and the next two, while no collective call is under way, on the CPUs
 * that the thread which called ordo_mpi_verify could run on; a thread elsewhere may read another clock than the
 * verified one. */
struct ordo_global_time ordo_mpi_now(const struct ordo_mpi *context);

/** Local: returns the context's clock, in ns since an origin of its own: for frequent events, to be converted later. */
int64_t ordo_mpi_local_ns(const struct ordo_mpi *context);

/** Local: returns the global time of a reading of ordo_mpi_local_ns on this rank. The bound grows with the distance
 * from the synchronisation, in both directions. */
struct ordo_global_time ordo_mpi_at(const struct ordo_mpi *context, int64_t local_ns);

/** Local: returns the observed change of this rank's drift between the last two synchronisations; zeros on rank 0. */
struct ordo_global_wander ordo_mpi_wander(const struct ordo_mpi *context);

/** Collective: frees everything; NULL is ignored. Call it before MPI_Finalize. */
void ordo_mpi_free(struct ordo_mpi *context);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
