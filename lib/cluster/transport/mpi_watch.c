/* Three waits have a third of the deadline each: a wait before it asks rank 0, the wait of rank 0 for the answers to
 * its roll call, and the wait for rank 0 to announce the outcome. So a lost rank is known after two thirds at most, and
 * a lost rank 0 after three thirds. A verification first waits in shared memory, also for a third; the wait after it
 * then asks at once. */
#include "cluster/transport/mpi_watch.h"

#include <errno.h>
#include <string.h>

#include "base/time.h"
#include "cluster/transport/mpi_pause.h"
#include "cluster/transport/mpi_result.h"
#include "cluster/transport/tags.h"

enum kind { ASK, CALL, HERE, OUTCOME };

const char *ordo_mpi_where_name(int where)
{
    static const char *const names[] = {[ORDO_MPI_ELSEWHERE] = "no call",
                                        [ORDO_MPI_IN_VERIFY] = "ordo_mpi_verify",
                                        [ORDO_MPI_IN_SYNC] = "ordo_mpi_sync",
                                        [ORDO_MPI_IN_CHECK] = "ordo_mpi_check",
                                        [ORDO_MPI_IN_HARMONIZE] = "ordo_mpi_harmonize",
                                        [ORDO_MPI_IN_SKEW] = "ordo_mpi_skew"};
    return where >= 0 && where < (int)(sizeof names / sizeof *names) ? names[where] : "another call";
}

int ordo_mpi_watch_explain(const struct ordo_mpi_watch *watch, int code, struct ordo_error *error)
{
    double patience_s = (double)ordo_mpi_watch_patience_ns(watch) / 1e9;
    if (watch->lost < 0)
        return code;
    if (watch->lost_where)
        return ordo_error_set(error, ORDO_E_INVALID, 0,
                              "rank %d is in %s, and rank 0 in %s: all ranks must make the same calls", watch->lost,
                              ordo_mpi_where_name(watch->lost_where), ordo_mpi_where_name(watch->here_where));
    if (watch->lost == watch->rank)
        return ordo_error_set(error, ORDO_E_SYSTEM, ETIMEDOUT, "rank %d (this one) did not answer for %g s",
                              watch->rank, patience_s);
    return ordo_error_set(error, ORDO_E_SYSTEM, ETIMEDOUT,
                          "rank %d did not answer for %g s: it has ended, or stands still", watch->lost, patience_s);
}

int64_t ordo_mpi_watch_patience_ns(const struct ordo_mpi_watch *watch)
{
    return watch->deadline_ns > 0 ? watch->deadline_ns / 3 + 1 : INT64_MAX;
}

void ordo_mpi_watch_suspect(struct ordo_mpi_watch *watch)
{
    watch->suspects = true;
}

/* A note is small, so MPI has sent it when MPI_Isend returns. If it has not, the note stays in its place until 15 more
 * notes are sent. */
static void tell_ranks(struct ordo_mpi_watch *watch, int first, int last, struct ordo_mpi_note note)
{
    struct ordo_mpi_note *place = &watch->notes[watch->sent++ % (sizeof watch->notes / sizeof *watch->notes)];
    *place = note;
    for (int rank = first; rank <= last; rank++) {
        MPI_Request request;
        if (MPI_Isend(place, sizeof *place, MPI_BYTE, rank, ORDO_TAG_NOTE, watch->comm, &request) == MPI_SUCCESS)
            (void)MPI_Request_free(&request);
    }
}

/* Begins a roll call. On rank 0. */
static void call(struct ordo_mpi_watch *watch)
{
    if (watch->called_ns || watch->deadline_ns <= 0)
        return;
    memset(watch->here, 0, (size_t)watch->size * sizeof *watch->here);
    watch->here[0] = true;
    watch->absent = watch->size - 1;
    watch->called_ns = ordo_raw_ns();
    tell_ranks(watch, 1, watch->size - 1, (struct ordo_mpi_note){.kind = CALL, .roll = ++watch->roll, .lost = -1});
}

/* Ends a roll call, on all ranks; `lost` is a rank or -1. */
static void conclude(struct ordo_mpi_watch *watch, int lost)
{
    watch->asked_ns = watch->called_ns = 0;
    watch->suspects = false;
    watch->lost = lost;
    watch->settled++;
}

static void conclude_for_all(struct ordo_mpi_watch *watch, int lost)
{
    conclude(watch, lost);
    tell_ranks(watch, 1, watch->size - 1,
               (struct ordo_mpi_note){.kind = OUTCOME,
                                      .roll = watch->roll,
                                      .lost = lost,
                                      .where = watch->lost_where,
                                      .here_where = watch->here_where});
}

/* A roll call belongs to the collective call in which it began: in the next one a rank may have been late because it
 * did something else, and is not lost. So rank 0 ends the roll call, and a rank that asked for it asks again. */
void ordo_mpi_watch_enter(struct ordo_mpi_watch *watch, enum ordo_mpi_where where)
{
    watch->where = (int)where;
    watch->calls++;
    watch->asked_ns = 0;
    if (watch->called_ns)
        conclude_for_all(watch, -1);
}

/* True if the sender is in another collective call than this rank. On rank 0. Ranks that have made equally many calls
 * must be in the same call, because each needs all ranks: none returns from a call before all have made it. */
static bool is_in_another_call(const struct ordo_mpi_watch *watch, const struct ordo_mpi_note *note)
{
    return note->calls == watch->calls && note->where != watch->where;
}

static void hear_answer(struct ordo_mpi_watch *watch, int from, const struct ordo_mpi_note *note)
{
    if (note->roll != watch->roll || !watch->called_ns || watch->here[from])
        return;
    watch->here[from] = true;
    watch->absent--;
    if (is_in_another_call(watch, note)) {
        watch->lost_where = note->where;
        watch->here_where = watch->where;
        conclude_for_all(watch, from);
    } else if (watch->absent == 0) {
        conclude_for_all(watch, -1);
    }
}

static void hear_outcome(struct ordo_mpi_watch *watch, const struct ordo_mpi_note *note)
{
    watch->lost_where = note->where;
    watch->here_where = note->here_where;
    conclude(watch, note->lost);
}

static void hear(struct ordo_mpi_watch *watch, int from, const struct ordo_mpi_note *note)
{
    if (note->kind == ASK && note->calls >= watch->calls)
        call(watch);
    else if (note->kind == ASK) /* this rank has left that call; the asker, if not, waits anew and asks again */
        tell_ranks(watch, from, from, (struct ordo_mpi_note){.kind = OUTCOME, .roll = watch->roll, .lost = -1});
    if (note->kind == CALL)
        tell_ranks(watch, 0, 0,
                   (struct ordo_mpi_note){
                       .kind = HERE, .roll = note->roll, .lost = -1, .where = watch->where, .calls = watch->calls});
    if (note->kind == HERE)
        hear_answer(watch, from, note);
    if (note->kind == OUTCOME)
        hear_outcome(watch, note);
}

/* Declares a rank lost that has not answered in time. All notes are read first, because this rank itself may have been
 * stopped. */
static void judge_roll(struct ordo_mpi_watch *watch)
{
    int64_t patience_ns = ordo_mpi_watch_patience_ns(watch), at_ns = ordo_raw_ns();
    if (watch->called_ns && at_ns - watch->called_ns > patience_ns) {
        int rank = 0;
        while (watch->here[rank])
            rank++;
        conclude_for_all(watch, rank);
    }
    if (watch->asked_ns && at_ns - watch->asked_ns > 2 * patience_ns)
        conclude(watch, 0);
}

bool ordo_mpi_watch_serve(struct ordo_mpi_watch *watch)
{
    int there = 1;
    while (watch->lost < 0 && there) {
        MPI_Status status;
        struct ordo_mpi_note note;
        if (MPI_Iprobe(MPI_ANY_SOURCE, ORDO_TAG_NOTE, watch->comm, &there, &status) != MPI_SUCCESS)
            break;
        if (there && MPI_Recv(&note, sizeof note, MPI_BYTE, status.MPI_SOURCE, ORDO_TAG_NOTE, watch->comm,
                              MPI_STATUS_IGNORE) == MPI_SUCCESS)
            hear(watch, status.MPI_SOURCE, &note);
    }
    if (watch->lost < 0)
        judge_roll(watch);
    return watch->lost < 0;
}

/* One wait: its begin, and the number of roll calls completed until then. */
struct wait {
    int64_t since_ns;
    unsigned settled;
};

/* False if a rank is lost. */
static bool go_on(struct ordo_mpi_watch *watch, struct wait *wait)
{
    if (!ordo_mpi_watch_serve(watch))
        return false;
    int64_t at_ns = ordo_raw_ns();
    if (!wait->since_ns || wait->settled != watch->settled)
        *wait = (struct wait){at_ns, watch->settled};
    bool patient = at_ns - wait->since_ns <= ordo_mpi_watch_patience_ns(watch) && !watch->suspects;
    if (patient || watch->asked_ns)
        return true;
    if (watch->rank == 0) {
        call(watch);
    } else {
        watch->asked_ns = at_ns;
        tell_ranks(watch, 0, 0, (struct ordo_mpi_note){.kind = ASK, .lost = -1, .calls = watch->calls});
    }
    return true;
}

/* Gives up a request. Only a receive can be cancelled, and is cancelled at once; MPI keeps every other request. */
static int give_up(struct ordo_mpi_watch *watch, const char *call, struct ordo_error *error)
{
    enum { TESTS = 1000 };
    int done = 0;
    if (strcmp(call, "MPI_Irecv") == 0 && MPI_Cancel(&watch->request) == MPI_SUCCESS)
        for (int i = 0; i < TESTS && !done; i++)
            (void)MPI_Test(&watch->request, &done, MPI_STATUS_IGNORE);
    return ordo_mpi_watch_explain(watch, ORDO_E_SYSTEM, error);
}

int ordo_mpi_wait(struct ordo_mpi_watch *watch, int begun, MPI_Status *status, const char *call,
                  struct ordo_error *error)
{
    struct wait wait = {0};
    struct ordo_mpi_pauses pauses = {.tests = 1};
    int done = 0;
    while (!done && begun == MPI_SUCCESS) {
        if (watch->lost >= 0 || (ordo_mpi_pause(&pauses) && !go_on(watch, &wait)))
            return give_up(watch, call, error);
        begun = MPI_Test(&watch->request, &done, status);
    }
    return ordo_mpi_result(begun, call, error);
}
