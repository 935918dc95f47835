#include "trace/record/buffer.h"

#include <stdlib.h>
#include <sys/mman.h>

struct ordo_trace_thread *ordo_trace_thread_open(struct ordo_trace_thread **all, uint64_t capacity,
                                                 enum ordo_trace_policy policy)
{
    for (struct ordo_trace_thread *at = *all; at; at = at->after)
        if (at->idle) {
            at->idle = false;
            return at;
        }
    struct ordo_trace_thread *thread = calloc(1, sizeof *thread);
    if (!thread)
        return NULL;
    /* Faulted in here, so that recording an event takes no page fault. */
    thread->events = mmap(NULL, capacity * sizeof *thread->events, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (thread->events == MAP_FAILED) {
        free(thread);
        return NULL;
    }
    thread->capacity = capacity;
    thread->free_until = policy == ORDO_TRACE_RING ? UINT64_MAX : capacity;
    thread->policy = policy;
    thread->number = *all ? (*all)->number + 1 : 0;
    thread->after = *all;
    *all = thread;
    return thread;
}

void ordo_trace_threads_free(struct ordo_trace_thread **all)
{
    for (struct ordo_trace_thread *thread = *all, *after; thread; thread = after) {
        after = thread->after;
        (void)munmap(thread->events, thread->capacity * sizeof *thread->events);
        free(thread);
    }
    *all = NULL;
}

/* Writes one chunk with the events from `tail` on: up to `head`, the end of the ring or the size of the largest chunk,
 * whichever comes first. Returns the new tail. */
static uint64_t write_some(const struct ordo_trace_thread *thread, struct ordo_trace_file *file, uint64_t tail,
                           uint64_t head, uint64_t lost)
{
    const uint64_t most = ORDO_TRACE_CHUNK_MOST / sizeof *thread->events;
    uint64_t from = tail & (thread->capacity - 1), count = head - tail;
    count = count < thread->capacity - from ? count : thread->capacity - from;
    count = count < most ? count : most;
    file->lost += lost;
    if (ordo_trace_file_append(file, ORDO_TRACE_EVENTS, thread->events + from, count * sizeof *thread->events,
                               (uint32_t)count, lost))
        file->lost += count;
    return tail + count;
}

void ordo_trace_drain(struct ordo_trace_thread *thread, struct ordo_trace_file *file)
{
    /* [B1] pairs with ordo_trace_publish: the events before `head` */
    uint64_t head = atomic_load_explicit(&thread->head, memory_order_acquire);
    uint64_t tail = atomic_load_explicit(&thread->tail, memory_order_relaxed);        /* [B3] */
    uint64_t lost = atomic_exchange_explicit(&thread->lost, 0, memory_order_relaxed); /* [B4] */
    if (head - tail > thread->capacity) { /* the policy `ring`: the oldest events were overwritten */
        lost += head - tail - thread->capacity;
        tail = head - thread->capacity;
    }
    if (head == tail) /* [B4] there is no event, and so no chunk; the next chunk states the loss */
        (void)atomic_fetch_add_explicit(&thread->lost, lost, memory_order_relaxed);
    while (tail != head) {
        tail = write_some(thread, file, tail, head, lost);
        lost = 0;
        /* [B2] pairs with ordo_trace_find_room: the places are free */
        atomic_store_explicit(&thread->tail, tail, memory_order_release);
    }
}

bool ordo_trace_find_room(struct ordo_trace_thread *thread, pthread_mutex_t *lock, struct ordo_trace_file *file)
{
    /* [B2] pairs with ordo_trace_drain: the places before `tail` are free */
    thread->free_until = atomic_load_explicit(&thread->tail, memory_order_acquire) + thread->capacity; /* [B5] */
    if (thread->next < thread->free_until)
        return true;
    if (thread->policy == ORDO_TRACE_STOP) {
        (void)atomic_fetch_add_explicit(&thread->lost, 1, memory_order_relaxed); /* [B4] */
        return false;
    }
    pthread_mutex_lock(lock); /* [B3] */
    ordo_trace_drain(thread, file);
    pthread_mutex_unlock(lock);
    thread->free_until = thread->next + thread->capacity; /* [B5] the ring is empty */
    return true;
}
