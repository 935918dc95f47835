/* The deadline has three parts, each a third:
 * 1. A rank waits before it asks rank 0 for a roll call.
 * 2. Rank 0 waits for the answers to the roll call.
 * 3. The rank that asked waits longer for the outcome, in case rank 0 itself is lost.
 * So a lost rank is known after two thirds, and a lost rank 0 after the whole deadline. A verification waits in shared
 * memory during the first part; its next wait asks at once. */
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

/* Sends a note to ranks `first` to `last`, and does not wait for completion. MPI usually has sent such a small message
 * when MPI_Isend returns. If not, the note stays unchanged in its buffer until 15 more notes have been sent. */
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

/* Begins a roll call. Call on rank 0. */
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

/* Ends a roll call on this rank. `lost` is the lost rank, or -1. */
static void conclude_roll_call(struct ordo_mpi_watch *watch, int lost)
{
    watch->asked_ns = watch->called_ns = 0;
    watch->suspects = false;
    watch->lost = lost;
    watch->settled++;
}

static void conclude_for_all(struct ordo_mpi_watch *watch, int lost)
{
    conclude_roll_call(watch, lost);
    tell_ranks(watch, 1, watch->size - 1,
               (struct ordo_mpi_note){.kind = OUTCOME,
                                      .roll = watch->roll,
                                      .lost = lost,
                                      .where = watch->lost_where,
                                      .here_where = watch->here_where});
}

/* A roll call counts only within the collective call in which it began, because between two calls a rank may be busy
 * with other work, and is not lost. So when rank 0 enters the next call, it ends the roll call. A rank that still waits
 * asks again. */
void ordo_mpi_watch_enter(struct ordo_mpi_watch *watch, enum ordo_mpi_where where)
{
    watch->where = (int)where;
    watch->calls++;
    watch->asked_ns = 0;
    if (watch->called_ns)
        conclude_for_all(watch, -1);
}

/* True if the sender of the note is in another collective call than this rank, which is an error of the program. Call
 * on rank 0. Two ranks with the same number of calls must be in the same call, because no call returns before all ranks
 * have made it. */
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
    conclude_roll_call(watch, note->lost);
}

static void hear(struct ordo_mpi_watch *watch, int from, const struct ordo_mpi_note *note)
{
    if (note->kind == ASK && note->calls >= watch->calls)
        call(watch);
    else if (note->kind == ASK) /* rank 0 is already in a later call than the asker, which starts its wait again */
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

/* Declares a rank lost if it has not answered in time. The caller has read all notes before, because answers may have
 * arrived while this rank itself was stopped. */
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
        conclude_roll_call(watch, 0);
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

/* The state of one wait: its begin, and the number of roll calls that had ended at its begin. */
struct wait {
    int64_t since_ns;
    unsigned settled;
};

/* Answers roll calls, and asks for a roll call if the wait is too long. False if a rank is lost. */
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

/* Gives up a request. A receive is cancelled. No other request can be cancelled: it stays with MPI. */
static int give_up_request(struct ordo_mpi_watch *watch, const char *call, struct ordo_error *error)
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
            return give_up_request(watch, call, error);
        begun = MPI_Test(&watch->request, &done, status);
    }
    return ordo_mpi_result(begun, call, error);
}
