/* The writer: a thread that drains all rings to the file, whenever half of a ring is full and at least once in each
 * flush period. The writer calls no MPI function and blocks all signals. The policies `ring` and `stop` have no writer,
 * because they keep events in memory only. */
#include <errno.h>
#include <signal.h>
#include <time.h>

#include "trace/record/recorder.h"

void ordo_trace_wake(void)
{
    if (ordo_trace_recorder.has_writer)
        (void)sem_post(&ordo_trace_recorder.wake);
}

/* Waits until the writer is woken or the flush period is over. */
static void doze(struct ordo_trace_recorder *recorder)
{
    struct timespec until;
    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    int64_t ns = until.tv_nsec + (int64_t)(recorder->settings.flush_period * 1e9);
    until.tv_sec += (time_t)(ns / 1000000000);
    until.tv_nsec = (long)(ns % 1000000000);
    while (sem_clockwait(&recorder->wake, CLOCK_MONOTONIC, &until) != 0 && errno == EINTR)
        ;
}

static void *write_on(void *context)
{
    struct ordo_trace_recorder *recorder = context;
    for (bool ends = false; !ends;) {
        doze(recorder);
        pthread_mutex_lock(&recorder->lock);
        ordo_trace_drain_all();
        ends = recorder->writer_ends;
        pthread_mutex_unlock(&recorder->lock);
    }
    return NULL;
}

int ordo_trace_writer_start(void)
{
    struct ordo_trace_recorder *recorder = &ordo_trace_recorder;
    sigset_t all, before;
    if (recorder->settings.policy != ORDO_TRACE_FLUSH)
        return ORDO_OK;
    if (sem_init(&recorder->wake, 0, 0))
        return ORDO_E_SYSTEM;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    recorder->writer_ends = false;
    errno = pthread_create(&recorder->writer, NULL, write_on, recorder);
    recorder->has_writer = errno == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return recorder->has_writer ? ORDO_OK : ORDO_E_SYSTEM;
}

void ordo_trace_writer_stop(void)
{
    struct ordo_trace_recorder *recorder = &ordo_trace_recorder;
    if (!recorder->has_writer)
        return;
    pthread_mutex_lock(&recorder->lock);
    recorder->writer_ends = true;
    pthread_mutex_unlock(&recorder->lock);
    (void)sem_post(&recorder->wake);
    (void)pthread_join(recorder->writer, NULL);
    recorder->has_writer = false;
    (void)sem_destroy(&recorder->wake);
}
