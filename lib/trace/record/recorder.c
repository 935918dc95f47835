#include "trace/record/recorder.h"

#include <string.h>

#include "trace/record/complain.h"

struct ordo_trace_recorder ordo_trace_recorder = {.lock = PTHREAD_MUTEX_INITIALIZER};
_Thread_local struct ordo_trace_own ordo_trace_own;

struct ordo_trace_thread *ordo_trace_thread_begins(void)
{
    struct ordo_trace_recorder *recorder = &ordo_trace_recorder;
    pthread_mutex_lock(&recorder->lock);
    struct ordo_trace_thread *thread =
        ordo_trace_thread_open(&recorder->threads, (uint64_t)recorder->settings.buffer_events,
                               (enum ordo_trace_policy)recorder->settings.policy);
    if (!thread)
        recorder->unbuffered++;
    pthread_mutex_unlock(&recorder->lock);
    if (thread)
        (void)pthread_setspecific(recorder->thread_ends, thread);
    return ordo_trace_own.thread = thread;
}

void ordo_trace_drain_all(void)
{
    struct ordo_trace_recorder *recorder = &ordo_trace_recorder;
    for (struct ordo_trace_thread *thread = recorder->threads; thread; thread = thread->after)
        ordo_trace_drain(thread, &recorder->file);
    if (!recorder->file.failed || recorder->complained)
        return;
    recorder->complained = true;
    ordo_trace_complain(recorder->rank, "its trace cannot be written any more: %s", strerror(recorder->file.failed));
}

/* Called by the ring's thread when it finds the ring full. */
bool ordo_trace_make_room(struct ordo_trace_thread *thread)
{
    return ordo_trace_find_room(thread, &ordo_trace_recorder.lock, &ordo_trace_recorder.file);
}
