/* Events on their way to the file: each thread fills a ring of its own, and one drainer at a time empties a ring.
 *
 *  [B1] A thread stores an event and then `head`, by release; the drainer loads `head`, by acquire. The drainer
 *       therefore reads only complete events.
 *  [B2] The drainer reads the events and then stores `tail`, by release; the thread loads `tail`, by acquire, before it
 *       stores into the same places again.
 *  [B3] The drainer holds the recorder's lock. The drainer is the writer, a thread whose ring is full, or the closer;
 *       `tail` has one writer at a time.
 *  [B4] The thread adds to `lost`, and the drainer takes its value and sets it to 0; both use a read-modify-write. If
 *       the drainer writes no chunk, it adds the value back. The file therefore counts each loss once.
 *  [B5] A thread stops at `free_until`, which is at most `tail` plus the capacity: it never overwrites an event that
 *       the drainer may still read.
 *
 * tests/proof/schedule/ring.c runs this code at every schedule of a thread and a writer; tests/mutants.sh removes the
 * conditions one at a time.
 *
 * Under the policy `ring` the ring is drained only at the end, in MPI_Finalize. [B2] does not hold then and is not
 * needed, because <ordo/trace.h> requires that no thread records during MPI_Finalize.
 */
#ifndef ORDO_TRACE_RECORD_BUFFER_H
#define ORDO_TRACE_RECORD_BUFFER_H

#include <stdatomic.h>
#include <stdbool.h>

#include "trace/record/file.h"

struct ordo_trace_thread {
    struct ordo_trace_event *events; /* a mapping of its own, faulted in beforehand */
    uint64_t capacity;               /* a power of 2 */
    uint64_t next, free_until;       /* the thread's own: `head`, and `tail` + capacity when it last loaded `tail` */
    uint64_t last_ticks;             /* the thread's own: its last reading of the clock */
    uint32_t number;
    enum ordo_trace_policy policy;
    _Atomic uint64_t head, tail, lost;
    struct ordo_trace_thread *after; /* the next older ring in the list of all */
    bool idle;                       /* the ring's thread has ended; the next new thread takes the ring over */
};

/** Makes this thread's ring, or takes over an idle one. Returns NULL if out of memory. Call with the lock held. */
struct ordo_trace_thread *ordo_trace_thread_open(struct ordo_trace_thread **all, uint64_t capacity,
                                                 enum ordo_trace_policy policy);

/** Frees all rings. */
void ordo_trace_threads_free(struct ordo_trace_thread **all);

/** Makes room in a full ring, by the policy. Returns false if the event is lost; the loss is counted. The recorder
 * defines this function, by calling ordo_trace_find_room. */
bool ordo_trace_make_room(struct ordo_trace_thread *thread);

/** Makes room with the lock and the file of the recorder. The ring's own thread calls it. */
bool ordo_trace_find_room(struct ordo_trace_thread *thread, pthread_mutex_t *lock, struct ordo_trace_file *file);

/** Writes all events of the ring to the file. Call with the lock held [B3]. Events that cannot be written are lost, and
 * counted. */
void ordo_trace_drain(struct ordo_trace_thread *thread, struct ordo_trace_file *file);

/** Wakes the writer. Called when half a ring is full. */
void ordo_trace_wake(void);

/** Returns the place for the next event. The caller fills in the event and then calls ordo_trace_publish. (An event
 * that is made elsewhere must be copied, and the copy waits for the stores that made the event.) Returns NULL if the
 * event is lost; the loss is counted. Call from the ring's own thread. */
static inline struct ordo_trace_event *ordo_trace_place(struct ordo_trace_thread *thread)
{
    uint64_t at = thread->next;
    if (__builtin_expect(at == thread->free_until, 0) && !ordo_trace_make_room(thread)) /* [B5] */
        return NULL;
    return &thread->events[at & (thread->capacity - 1)];
}

/** Publishes the event in the place that ordo_trace_place returned. */
static inline void ordo_trace_publish(struct ordo_trace_thread *thread)
{
    uint64_t next = ++thread->next;
    /* [B1] pairs with ordo_trace_drain: the event */
    atomic_store_explicit(&thread->head, next, memory_order_release);
    if (__builtin_expect((next & (thread->capacity / 2 - 1)) == 0, 0))
        ordo_trace_wake();
}

/** Adds the begin or the end of a region that is neither a message nor a collective. Call from the ring's own
 * thread. */
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
