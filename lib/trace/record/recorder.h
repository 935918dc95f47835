/* The state of the recorder in this process, and the ring of each thread. All files of this folder work on it; start.h begins and ends it. */
#ifndef ORDO_TRACE_RECORD_RECORDER_H
#define ORDO_TRACE_RECORD_RECORDER_H

#include <semaphore.h>

#include "cluster/mpi/context.h"
#include "trace/record/buffer.h"
#include "trace/record/names.h"
#include "trace/record/settings.h"
#include "trace/record/ticks.h"

struct ordo_trace_recorder {
    _Atomic bool open; /* events are taken */
    bool multiple;     /* several threads may call MPI at once */
    int rank, size, sessions;
    struct ordo_trace_settings settings;
    const struct ordo_clock_source *source; /* NULL: the hardware's clock */
    struct ordo_mpi *context;
    struct ordo_trace_head head;
    int32_t *children; /* on rank 0: the ranks that ask it, whose clocks are their own */
    int child_count;

    pthread_mutex_t lock; /* of all below */
    struct ordo_trace_file file;
    struct ordo_trace_names names;
    struct ordo_trace_thread *threads;
    uint64_t unbuffered; /* events of threads for which there was no memory */
    bool complained;

    pthread_key_t thread_ends;
    pthread_t writer;
    sem_t wake;
    bool has_writer, writer_ends;
};

extern struct ordo_trace_recorder ordo_trace_recorder;

/** This thread's ring, and how deep it is in calls of MPI: what these call in turn is not recorded. */
struct ordo_trace_own {
    struct ordo_trace_thread *thread;
    int inside;
};

extern _Thread_local struct ordo_trace_own ordo_trace_own __attribute__((tls_model("initial-exec")));

/** A ring for this thread, which has none. NULL: there is no memory. */
struct ordo_trace_thread *ordo_trace_thread_begins(void);

/** The ring of this thread, made where it has none. NULL: nothing is to be recorded, or there is no memory. */
static inline struct ordo_trace_thread *ordo_trace_thread_of_this(void)
{
    /* relaxed: who is told of the end in the next call stops then; nothing is published by it */
    if (!atomic_load_explicit(&ordo_trace_recorder.open, memory_order_relaxed))
        return NULL;
    return __builtin_expect(ordo_trace_own.thread != NULL, 1) ? ordo_trace_own.thread : ordo_trace_thread_begins();
}

/** Reads the clock for an entry [T1] or an exit [T2] of this thread, in the order of its times [T3]. */
static inline uint64_t ordo_trace_enters(struct ordo_trace_thread *thread)
{
    return ordo_trace_in_order(&thread->last_ticks, ordo_trace_entry_ticks(ordo_trace_recorder.source));
}

static inline uint64_t ordo_trace_exits(struct ordo_trace_thread *thread)
{
    return ordo_trace_in_order(&thread->last_ticks, ordo_trace_exit_ticks(ordo_trace_recorder.source));
}

/** The writer's life: see writer.c. */
int ordo_trace_writer_start(void);
void ordo_trace_writer_stop(void);

/** Drains all threads, and complains once where the file has failed. Under the lock. */
void ordo_trace_drain_all(void);

#endif
