/* The state of the recorder in this process, and the ring of each thread. All files of this folder use it; start.h sets
 * it up and tears it down. */
#ifndef ORDO_TRACE_RECORD_RECORDER_H
#define ORDO_TRACE_RECORD_RECORDER_H

#include <semaphore.h>

#include "cluster/mpi/context.h"
#include "trace/record/buffer.h"
#include "trace/record/names.h"
#include "trace/record/settings.h"
#include "trace/record/ticks.h"

struct ordo_trace_recorder {
    _Atomic bool open; /* events are recorded */
    bool multiple;     /* several threads may call MPI at once */
    int rank, size, sessions;
    struct ordo_trace_settings settings;
    const struct ordo_clock_source *source; /* NULL: the hardware clock */
    struct ordo_mpi *context;
    struct ordo_trace_head head;
    bool asks;         /* this rank asks rank 0 in sessions */
    int32_t *children; /* on rank 0: the ranks that ask */
    int child_count;

    pthread_mutex_t lock; /* guards the fields below */
    struct ordo_trace_file file;
    struct ordo_trace_names names;
    struct ordo_trace_thread *threads;
    uint64_t unbuffered; /* number of lost events of threads without memory for a ring */
    bool complained;

    pthread_key_t thread_ends;
    pthread_t writer;
    sem_t wake;
    bool has_writer, writer_ends;
};

extern struct ordo_trace_recorder ordo_trace_recorder;

/** This thread's ring, and the number of calls of MPI that the thread is inside. If `inside` is not 0, a further call
 * comes from MPI or from the recorder, and is not recorded. */
struct ordo_trace_own {
    struct ordo_trace_thread *thread;
    int inside;
};

extern _Thread_local struct ordo_trace_own ordo_trace_own __attribute__((tls_model("initial-exec")));

/** Makes a ring for this thread, which has none. Returns NULL if out of memory. */
struct ordo_trace_thread *ordo_trace_thread_begins(void);

/** Returns the ring of this thread, and makes it first if the thread has none. Returns NULL if nothing is to be
 * recorded, or if out of memory. */
static inline struct ordo_trace_thread *ordo_trace_thread_of_this(void)
{
    /* relaxed: a thread may see the end of the recording one call late; the flag publishes no data */
    if (!atomic_load_explicit(&ordo_trace_recorder.open, memory_order_relaxed))
        return NULL;
    return __builtin_expect(ordo_trace_own.thread != NULL, 1) ? ordo_trace_own.thread : ordo_trace_thread_begins();
}

/** Reads the clock for an entry [T1] or an exit [T2] of this thread, not before the thread's last time [T3]. */
static inline uint64_t ordo_trace_enters(struct ordo_trace_thread *thread)
{
    return ordo_trace_in_order(&thread->last_ticks, ordo_trace_entry_ticks(ordo_trace_recorder.source));
}

static inline uint64_t ordo_trace_exits(struct ordo_trace_thread *thread)
{
    return ordo_trace_in_order(&thread->last_ticks, ordo_trace_exit_ticks(ordo_trace_recorder.source));
}

/** Starts the writer; ordo_trace_writer_stop stops it (writer.c). */
int ordo_trace_writer_start(void);
void ordo_trace_writer_stop(void);

/** Drains the rings of all threads, and complains once if the file has failed. Call with the lock held. */
void ordo_trace_drain_all(void);

#endif
