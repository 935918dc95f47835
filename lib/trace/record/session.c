#include "trace/record/session.h"

#include <stdlib.h>

#include <ordo/trace.h>

#include "base/time.h"
#include "cluster/transport/mpi.h"
#include "cluster/transport/tags.h"
#include "trace/record/calls.h"
#include "trace/record/complain.h"
#include "trace/record/recorder.h"

/* Rank 0's half of a session. Rank 0 tells each child when to ask, so that no child's message waits while rank 0
 * answers another child. */
static int answer_all(struct ordo_trace_recorder *recorder)
{
    struct ordo_transport *t = recorder->context->transport;
    int64_t begin_ns = ordo_raw_ns(), most_ns = (int64_t)(recorder->settings.sync_max_duration * 1e9);
    int code = ORDO_OK;
    char go = 1, ping;
    for (int64_t done = 0; go && !code; done++) {
        go = done < (int64_t)recorder->settings.sync_max_messages && (!done || ordo_raw_ns() - begin_ns < most_ns);
        for (int i = 0; i < recorder->child_count && !code; i++) {
            int child = recorder->children[i];
            code = t->send(t, child, ORDO_TAG_GO, &go, sizeof go);
            if (code || !go)
                continue;
            code = t->receive(t, child, ORDO_TAG_PING, &ping, sizeof ping);
            int64_t now_ns = ordo_trace_local_ns(&recorder->head, ordo_trace_exit_ticks(recorder->source));
            code = code ? code : t->send(t, child, ORDO_TAG_PONG, &now_ns, sizeof now_ns);
        }
    }
    return code;
}

static int ask_once(const struct ordo_trace_recorder *recorder, struct ordo_trace_exchange *exchange)
{
    struct ordo_transport *t = recorder->context->transport;
    char ping = 0;
    exchange->session = (uint32_t)recorder->sessions;
    exchange->sent_ticks = ordo_trace_entry_ticks(recorder->source);
    int code = t->send(t, 0, ORDO_TAG_PING, &ping, sizeof ping);
    code = code ? code : t->receive(t, 0, ORDO_TAG_PONG, &exchange->master_ns, sizeof exchange->master_ns);
    exchange->received_ticks = ordo_trace_exit_ticks(recorder->source);
    return code;
}

/* A child's half of a session. If out of memory, the child still makes the exchanges, because rank 0 waits for them. */
static int ask_often(struct ordo_trace_recorder *recorder)
{
    const size_t most = ORDO_TRACE_CHUNK_MOST / sizeof(struct ordo_trace_exchange);
    struct ordo_transport *t = recorder->context->transport;
    size_t room = (size_t)recorder->settings.sync_max_messages, count = 0;
    struct ordo_trace_exchange *all = calloc(room, sizeof *all), lost = {0};
    char go = 1;
    int code = ORDO_OK;
    while (!code && !(code = t->receive(t, 0, ORDO_TAG_GO, &go, sizeof go)) && go) {
        code = ask_once(recorder, all && count < room ? &all[count] : &lost);
        count += all && count < room && !code;
    }
    pthread_mutex_lock(&recorder->lock);
    for (size_t at = 0; at < count; at += most) {
        size_t some = count - at < most ? count - at : most;
        (void)ordo_trace_file_append(&recorder->file, ORDO_TRACE_EXCHANGES, all + at, some * sizeof *all,
                                     (uint32_t)some, 0);
    }
    pthread_mutex_unlock(&recorder->lock);
    free(all);
    return code;
}

static void mark_session(enum ordo_trace_kind kind)
{
    struct ordo_trace_thread *thread = ordo_trace_thread_of_this();
    if (thread)
        ordo_trace_push_region(thread, ORDO_TRACE_CALL_ordo_trace_timesync, kind, ordo_trace_exits(thread));
}

int ordo_trace_session(void)
{
    struct ordo_trace_recorder *recorder = &ordo_trace_recorder;
    int code = ORDO_OK;
    if (recorder->settings.synced_cluster != 0)
        return ORDO_OK;
    ordo_trace_own.inside++;
    mark_session(ORDO_TRACE_BEGIN);
    if (recorder->rank == 0)
        code = answer_all(recorder);
    else if (recorder->asks)
        code = ask_often(recorder);
    mark_session(ORDO_TRACE_END);
    ordo_trace_own.inside--;
    recorder->sessions++;
    if (code)
        ordo_trace_complain(recorder->rank, "session %d: a message was lost", recorder->sessions - 1);
    return code;
}

int ordo_trace_timesync(void)
{
    if (!ordo_trace_thread_of_this() || ordo_trace_own.inside)
        return ORDO_E_INVALID;
    return ordo_trace_session();
}

/* `done`: number of operations since the last session. `ask_at`: value of `done` at which the ranks ask rank 0 again.
 * All ranks have the same values, except for since_ns. */
static struct {
    int64_t done, ask_at, since_ns;
    int sessions;
} periodic;

/* Judges, on rank 0, whether a session is due.
 * 0: a session is due
 * n > 0: the ranks ask again after n operations. n is half of the number of operations until the session is due, as the
 * rate since the last session predicts it. The rate is a guess, so n is at most the number of operations since the last
 * session. */
static int64_t judge_session(const struct ordo_trace_recorder *recorder)
{
    int64_t period_ns = (int64_t)(recorder->settings.sync_period * 1e9), gone_ns = ordo_raw_ns() - periodic.since_ns;
    if (gone_ns >= period_ns)
        return 0;
    double left = (double)(period_ns - gone_ns) / (double)(gone_ns + 1) * (double)periodic.done / 2;
    return left < 1 ? 1 : left > (double)periodic.done ? periodic.done : (int64_t)left;
}

void ordo_trace_session_periodic(void)
{
    struct ordo_trace_recorder *recorder = &ordo_trace_recorder;
    if (recorder->settings.sync_period <= 0 || recorder->settings.synced_cluster != 0)
        return;
    if (periodic.sessions != recorder->sessions) {
        periodic.sessions = recorder->sessions;
        periodic.done = periodic.ask_at = 0;
        periodic.since_ns = ordo_raw_ns();
    }
    if (++periodic.done < periodic.ask_at)
        return;
    int64_t more = recorder->rank == 0 ? judge_session(recorder) : 0;
    ordo_trace_own.inside++;
    PMPI_Bcast(&more, 1, MPI_INT64_T, 0, ordo_transport_mpi_watch(recorder->context->transport)->comm);
    ordo_trace_own.inside--;
    periodic.ask_at = periodic.done + more;
    if (more == 0)
        (void)ordo_trace_session();
}
