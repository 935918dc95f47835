/* The queue of a worker's retired items. */
#ifndef ORDO_CC_TXN_CORE_QUEUE_H
#define ORDO_CC_TXN_CORE_QUEUE_H

#include "cc/txn/core/memory.h"

static inline uint64_t cc_queue_capacity(const struct cc_queue *queue)
{
    return queue->ring ? queue->mask + 1 : 0;
}

/* Moves the queue to a new ring. `capacity` is a power of two, and at least the number of queued items. */
CC_SLOW int cc_queue_resize(struct ordo_db *db, struct cc_queue *queue, uint64_t capacity)
{
    struct cc_retired *ring = cc_allocate(db, CC_LINE, capacity * sizeof *ring);
    if (!ring)
        return ORDO_E_SYSTEM;
    for (uint64_t i = queue->head; i != queue->tail; i++)
        ring[i & (capacity - 1)] = queue->ring[i & queue->mask];
    cc_release(db, queue->ring, cc_queue_capacity(queue) * sizeof *ring);
    queue->ring = ring;
    queue->mask = capacity - 1;
    return ORDO_OK;
}

/* Makes room for `count` more items, so that a commit cannot fail because the queue is full. */
static inline int cc_queue_reserve(struct ordo_db *db, struct cc_queue *queue, uint64_t count)
{
    uint64_t capacity = cc_queue_capacity(queue), wanted = queue->tail - queue->head + count;
    if (__builtin_expect(wanted <= capacity, true))
        return ORDO_OK;
    for (capacity = capacity ? capacity : 256; capacity < wanted;)
        capacity *= 2;
    return cc_queue_resize(db, queue, capacity);
}

/* Adds an item, for which cc_queue_reserve has made room. */
static inline void cc_queue_add(struct cc_queue *queue, struct cc_retired retired)
{
    /* Only its worker accesses the queue. */
    ORDO_INVARIANT("txn", "C10", queue->ring && queue->tail - queue->head <= queue->mask,
                   "a queue has room for a retired item", queue, queue->tail, queue->head);
    queue->ring[queue->tail++ & queue->mask] = retired;
}

/* Queues an item that has just become unreachable. */
static inline void cc_retire_item(struct cc_worker *worker, struct cc_retired retired)
{
    worker->retired_bytes += retired.table->item_bytes;
    cc_queue_add(&worker->queue, retired);
}

/* Queues a whole record, or its deletion. Also queues an item again if it could not be freed yet. */
static inline void cc_retire(struct cc_worker *worker, struct ordo_table *table, void *item, uintptr_t kind,
                             uint64_t end)
{
    worker->queue.records++;
    cc_retire_item(worker, (struct cc_retired){end, 0, item, table, kind});
}

/* Frees memory that only a past backlog needed: shrinks the ring and trims the pools. Keeps the ring if there is no
 * memory for a smaller one. Do not call inside a transaction, because it relies on the room that it has reserved.
 * `leaves`: the worker is leaving, so the past backlog is forgotten at once. */
static void cc_queue_shrink(struct cc_worker *worker, bool leaves)
{
    enum { KEPT = 4096 };
    struct cc_queue *queue = &worker->queue;
    uint64_t waiting = queue->tail - queue->head;
    if (queue->mask >= KEPT && waiting < KEPT / 4)
        (void)cc_queue_resize(worker->base.db, queue, KEPT);
    if (leaves || waiting > queue->most)
        queue->most = waiting;
    if (leaves || (worker->id >> 16) % CC_LATELY == 0) {
        cc_pools_trim(worker);
        queue->most = waiting;
    }
}

#endif
