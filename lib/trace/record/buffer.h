/* Events on their way to the file: a ring for each thread, which it alone fills, and one writer that empties all.
 *
 *  [B1] A thread stores an event and then `head`, by release; the drainer loads `head`, by acquire: it reads whole events
 *       only.
 *  [B2] The drainer has read the events before it stores `tail`, by release; the thread loads `tail`, by acquire, before
 *       it stores into the same places again.
 *  [B3] The drainer holds the recorder's lock. It is the writer, a thread whose ring is full, or the closer; `tail` has one
 *       writer at a time.
 *  [B4] The thread counts a loss, and the drainer takes the count, by read-modify-writes of `lost`. If there is no chunk to
 *       tell the loss, the drainer gives the count back. The file therefore tells each loss once.
 *  [B5] A thread stops at `free_until`, which is at most `tail` plus the capacity: it never overwrites an event that the
 *       drainer may still read.
 *
 * tests/proof/schedule/ring.c runs this code at every schedule of a thread and a writer; tests/mutants.sh removes the conditions
 * one at a time.
 *
 * Under the policy `ring` the ring is drained only at the end, so that [B2] does not hold and is not needed: MPI_Finalize
 * runs, and as <ordo/trace.h> asks no thread records meanwhile.
 */
#ifndef ORDO_TRACE_RECORD_BUFFER_H
#define ORDO_TRACE_RECORD_BUFFER_H

#include <stdatomic.h>
#include <stdbool.h>

#include "trace/record/file.h"

struct ordo_trace_thread {
    struct ordo_trace_event *events; /* a mapping of its own, faulted in beforehand */
    uint64_t capacity;               /* a power of 2 */
    uint64_t next, free_until;       /* the thread's own: `head`, and what it last saw of `tail` + capacity */
    uint64_t last_ticks;             /* the thread's own: its last reading of the clock */
    uint32_t number;
    enum ordo_trace_policy policy;
    _Atomic uint64_t head, tail, lost;
    struct ordo_trace_thread *after; /* all threads, the newest first */
    bool idle;                       /* its thread has ended: the next one takes it over */
};

/** Makes this thread's ring, or takes over one that is idle. NULL where there is no memory. Under the lock. */
struct ordo_trace_thread *ordo_trace_thread_open(struct ordo_trace_thread **all, uint64_t capacity,
                                                 enum ordo_trace_policy policy);

/** Frees all. */
void ordo_trace_threads_free(struct ordo_trace_thread **all);

/** Makes room in a full ring, by the policy. False: the event is lost, and counted. The recorder defines it, by
 * ordo_trace_find_room. */
bool ordo_trace_make_room(struct ordo_trace_thread *thread);

/** Makes room with the lock and the file of the recorder. The ring's own thread calls it. */
bool ordo_trace_find_room(struct ordo_trace_thread *thread, pthread_mutex_t *lock, struct ordo_trace_file *file);

/** Writes what there is. Under the lock [B3]. What cannot be written is lost, and counted. */
void ordo_trace_drain(struct ordo_trace_thread *thread, struct ordo_trace_file *file);

/** Wakes the writer: half a ring is full. */
void ordo_trace_wake(void);

/** The place of the next event, to be filled there and then published: an event that is made elsewhere and copied waits
 * for its own stores. NULL: it is lost, and counted. By its thread. */
static inline struct ordo_trace_event *ordo_trace_place(struct ordo_trace_thread *thread)
{
    uint64_t at = thread->next;
    if (__builtin_expect(at == thread->free_until, 0) && !ordo_trace_make_room(thread)) /* [B5] */
        return NULL;
    return &thread->events[at & (thread->capacity - 1)];
}

/** Publishes the event that was put there. */
static inline void ordo_trace_publish(struct ordo_trace_thread *thread)
{
    uint64_t next = ++thread->next;
    /* [B1] pairs with ordo_trace_drain: the event */
    atomic_store_explicit(&thread->head, next, memory_order_release);
    if (__builtin_expect((next & (thread->capacity / 2 - 1)) == 0, 0))
        ordo_trace_wake();
}

/** Adds a begin or an end that is a region and no more. By its thread. */
static inline void ordo_trace_push_region(struct ordo_trace_thread *thread, uint32_t name, enum ordo_trace_kind kind,
                                          uint64_t ticks)
{
    struct ordo_trace_event *place = ordo_trace_place(thread);
    if (!place)
        return;
    *place = (struct ordo_trace_event){.ticks = ticks,
                                       .name = name,
                                       .thread = thread->number,
                                       .peer = -1,
                                       .tag = -1,
                                       .root = -1,
                                       .kind = (uint16_t)kind,
                                       .number = ORDO_TRACE_UNCOUNTED};
    ordo_trace_publish(thread);
}

#endif
