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
 * A program may have any number of contexts, over any communicators. Nothing is printed, nothing aborts, no message of
 * the program is met: each context has its own duplicate of the communicator, whose errors are returned. Link with
 * libordo-mpi, built for the same MPI.
 *
 * No collective call waits for ever. A rank that others wait for, and that shows no sign of life, is lost: within the
 * deadline (60 s, see ordo_mpi_set_deadline) the call returns ORDO_E_SYSTEM on the others, `sys_errno` is ETIMEDOUT,
 * and the text names the rank. The context is of no more use then, but to be freed: every collective call fails at
 * once. So ranks must come to a collective call within two thirds of the deadline of each other. Ranks that make
 * different calls, or pass different options, all return ORDO_E_INVALID within the deadline, and the text names a rank.
 * If it says in which calls the ranks are, the context is of no more use. (If not all come to ordo_mpi_create itself, the text
 * cannot say which. MPI has calls that cannot be interrupted, to split communicators and to make windows: a rank that
 * is lost in the microseconds between the last check and such a call makes it hang.) */
#ifndef ORDO_MPI_H
#define ORDO_MPI_H

#include <mpi.h>

#include <ordo/error.h>
#include <ordo/global.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default) /* what the library offers */

/** A context: a communicator, a clock, and what this rank knows about them. */
struct ordo_mpi;

/** How to synchronise. A field that is 0 or NULL has its default. All ranks must pass the same, else ORDO_E_INVALID on all. */
struct ordo_mpi_options {
    const char *algorithm; /* "ALGORITHM[:KEY=VALUE,...]", see ordo-mpi(1); default "h2hca" */
    const char *inter;     /* with h2hca and h3hca: between nodes, default "hca3" */
    const char *socket;    /* h3hca: between the sockets of a node, default "hca3" */
    const char *intra;     /* within a node (h2hca) or a socket (h3hca), default "clockprop" */
    double max_wander_ppb; /* declared: no two averages of one clock's rate within a minute differ by more; default 100;
                              negative: 0 */
    double max_skew_ppb;   /* declared: no clock is worse; default 500,000 (500 ppm) */
    int fallback;          /* not 0: if a clock was not verified, measure instead of refusing */
    double late_wander_ppb; /* declared: nor by more than this, however far apart, with what is allowed growing evenly
                               from a minute to an hour; default 2000 (2 ppm); never less than max_wander_ppb, which
                               negative stands for */
};

/** Collective. `source` names a clock as `ordo-mpi clocks` lists them; NULL is the hardware's. On failure `*context` is
 * NULL, which every other call accepts. Returns
 * 0;
 * ORDO_E_INVALID: the name is not known, or not the same on all ranks; no communicator, or an intercommunicator; before
 *   MPI_Init or after MPI_Finalize;
 * ORDO_E_SYSTEM. */
int ordo_mpi_create(MPI_Comm comm, const char *source, struct ordo_mpi **context, struct ordo_error *error);

/** Local: how long it may take to find that a rank is lost, on all ranks the same; 0: for ever. Returns 0, or
 * ORDO_E_INVALID. A rank that only takes long, in the library, is not lost. */
int ordo_mpi_set_deadline(struct ordo_mpi *context, double seconds, struct ordo_error *error);

/** Collective, about a second: whether the ranks of each node read one clock, in this very process. 0: proved to within
 * a residual, on all nodes; ORDO_E_UNVERIFIED, on all ranks, if it is refuted or could not be told (the text says
 * which, on the ranks concerned); ORDO_E_SYSTEM. What was found holds for the ordo_mpi_sync calls that follow, and for
 * the CPUs that the calling threads may run on at this moment: only those are compared.
 *
 * The second time and later it remembers: two verifications bound the drift of the copies between them, the better the
 * longer that was, and where each rank of a node is bound to one CPU they have to agree. ORDO_E_MEASURE, on all ranks,
 * where they do not: a clock stepped between the two, or wanders more than the last ordo_mpi_sync declared. The text
 * names the rank, and rank 0's says by how much; nothing is verified then, and the next call begins anew. Of a node
 * whose ranks may run on other CPUs than before nothing is concluded. */
int ordo_mpi_verify(struct ordo_mpi *context, struct ordo_error *error);

/** Collective: (re)synchronises with rank 0's clock; `options` may be NULL. Without an ordo_mpi_verify that returned 0
 * the default refuses with ORDO_E_UNVERIFIED. Also ORDO_E_MEASURE: a clock stepped, or is worse than declared;
 * ORDO_E_INVALID: a word of the options is not known; ORDO_E_SYSTEM. If it fails, time is not known any more.
 *
 * The second time and later it remembers: what was claimed has to agree with what is found, or a clock stepped since
 * (ORDO_E_MEASURE, the text names the rank; synchronise again, from nothing), and the offsets then and now bound the
 * drift between, the better the longer that was. Ten seconds after the second time, a minute after the first, bounds
 * are some ten times as narrow as after one. It begins anew, and ordo_mpi_wander with it, where more wander, late wander
 * or skew is declared than the last time, after an ordo_mpi_check that refuted a claim, and after an ordo_mpi_verify that
 * was the first, refuted a common clock, found that ranks may run on other CPUs than at the one before, or ended with
 * another error than ORDO_E_UNVERIFIED. */
int ordo_mpi_sync(struct ordo_mpi *context, const struct ordo_mpi_options *options, struct ordo_error *error);

/** How to check. A field that is 0 has its default. All ranks must pass the same, else ORDO_E_INVALID on all. */
struct ordo_mpi_check_options {
    int percent;   /* of the ranks but rank 0, at least one; default 100 */
    int pingpong;  /* exchanges with each; default 100 */
    uint64_t seed; /* of the choice of the ranks, if not all are checked */
};

/** Collective: rank 0 measures other ranks, one by one, and each is held to what its clock claims (Check-Global-Clock
 * of Hunold and Carpen-Amarie, CLUSTER 2018): to be asked again later, since only a check finds a clock that has
 * stepped, or wanders more than was declared. Returns, on all ranks: 0, nothing is refuted; ORDO_E_MEASURE, a claim is
 * proved wrong (rank 0's text says of which rank; time goes on as before: synchronise again); ORDO_E_INVALID, not
 * synchronised, or an option out of range; ORDO_E_SYSTEM.
 *
 * What is found narrows the bounds of the ranks that were measured, as a synchronisation does; estimates go on as
 * before, inside them. After something that has the next ordo_mpi_sync begin anew, nothing is narrowed before that.
 *
 * On rank 0 the ranks that were measured go into `checks`, in their order (room for all ranks but one), and how many
 * into `count`, also if one is refuted. Both may be NULL, and are not used elsewhere (`count` becomes 0). */
int ordo_mpi_check(struct ordo_mpi *context, const struct ordo_mpi_check_options *options,
                   struct ordo_global_check *checks, int *count, struct ordo_error *error);

/** How a rank left ordo_mpi_harmonize. */
struct ordo_mpi_harmony {
    int64_t at_ns;                /* when all were to leave, in global time: the same on all ranks */
    int64_t local_ns;             /* ordo_mpi_local_ns when this rank left: the last thing that the call read */
    struct ordo_global_time left; /* the same in global time */
    int late;                     /* not 0: this rank was told of the time when it had passed, and left at once */
};

/** Collective: all ranks wait for each other, and leave at the same global time, each by its own estimate. How long
 * rank 0's word of that time takes to reach all is learnt from one call for the next; a rank that is told too late
 * says so in `harmony`. Returns 0; ORDO_E_INVALID, not synchronised; ORDO_E_SYSTEM.
 *
 * How far apart they have left nobody can know who leaves in time: ask ordo_mpi_skew, when there is time. */
int ordo_mpi_harmonize(struct ordo_mpi *context, struct ordo_mpi_harmony *harmony, struct ordo_error *error);

/** Collective: how far apart the first and the last rank have left, in true time, by what each rank passes of the same
 * call of ordo_mpi_harmonize: a proved interval, the same on all ranks, that holds for late ranks and for ranks that
 * lost their CPU as well. Returns 0, ORDO_E_INVALID (no context), ORDO_E_SYSTEM. */
int ordo_mpi_skew(struct ordo_mpi *context, const struct ordo_mpi_harmony *harmony, struct ordo_global_skew *skew,
                  struct ordo_error *error);

/** Local: global time now, in ns of rank 0's clock. Performs earlier loads first. Infinitely uncertain before
 * ordo_mpi_sync. Any thread may call it, and the next two, while no collective call is under way, on the CPUs that the
 * thread which called ordo_mpi_verify could run on; one elsewhere may read another clock than was verified. */
struct ordo_global_time ordo_mpi_now(const struct ordo_mpi *context);

/** Local: the context's clock, in ns since an origin of its own; for events that are many, converted later. */
int64_t ordo_mpi_local_ns(const struct ordo_mpi *context);

/** Local: the global time of a reading of ordo_mpi_local_ns on this rank. The bound grows with the distance from the
 * synchronisation, in both directions. */
struct ordo_global_time ordo_mpi_at(const struct ordo_mpi *context, int64_t local_ns);

/** Local: by how much this rank's drift was seen to change between the last two synchronisations; of rank 0, nothing.
 */
struct ordo_global_wander ordo_mpi_wander(const struct ordo_mpi *context);

/** Collective. Frees everything; NULL is ignored. Before MPI_Finalize. */
void ordo_mpi_free(struct ordo_mpi *context);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
