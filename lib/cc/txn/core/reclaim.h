/* Reclaims retired items, and slows workers down if too many items are held back. The argument is in core.h. */
#ifndef ORDO_CC_TXN_CORE_RECLAIM_H
#define ORDO_CC_TXN_CORE_RECLAIM_H

#include <time.h>

#include "cc/txn/core/doom.h"
#include "cc/txn/core/horizon.h"
#include "cc/txn/core/queue.h"

/* Counts one more commit. True if the worker should scan for the horizon again. Scans are frequent if many bytes were
 * retired, so that memory is reused before it has left the core's cache. They are rare if records are small, because a
 * scan loads a cache line of each worker. */
static inline bool cc_look_is_due(struct cc_worker *worker)
{
    unsigned used = __atomic_load_n(&worker->base.db->places_used, __ATOMIC_RELAXED); /* a hint */
    uint64_t bytes = worker->retired_bytes - worker->seen_bytes;
    unsigned commits = bytes < CC_HORIZON_BYTES ? CC_HORIZON_MOST : CC_HORIZON_LEAST;
    return ++worker->since >= (commits < used ? used : commits);
}

/* Reclaims items that ended before the horizon: with `all`, every such item; otherwise at most 64 plus an eighth of the
 * queue, so that the queue is at most a few times as long as the number of items that arrive at once. */
static void cc_reclaim(struct cc_worker *worker, bool all, cc_free_item *free_item)
{
    struct cc_queue *queue = &worker->queue;
    uint64_t until = all ? queue->tail : queue->head + 64 + (queue->tail - queue->head) / 8;
    if (cc_is_disrupted(worker->base.db))
        return; /* C1: retired items stay until the database is closed */
    if (cc_look_is_due(worker) || all) {
        worker->since = 0;
        worker->seen_bytes = worker->retired_bytes;
        cc_look(worker);
    }
    while (queue->head != queue->tail && queue->head != until) {
        struct cc_retired retired = queue->ring[queue->head & queue->mask];
        if (retired.end >= worker->horizon) /* C10 */
            break;
        /* The horizon is an earlier scan's time minus 2B, or less. This transaction's time is at least the scan's time
         * minus B. */
        ORDO_INVARIANT("txn", "C10", worker->active == CC_IDLE || retired.end < cc_time_of(worker->active),
                       "an item that is freed ended before this transaction began", worker, retired.end,
                       worker->active);
        queue->head++;
        if (!free_item(worker, &retired))
            cc_retire(worker, retired.table, retired.item, retired.kind, retired.end); /* waits on, with its own time */
    }
}

/* Returns the number of waiting items that were retired since a scan last saw the oldest transaction that holds items
 * back change. Counts all items and, by a scan of its own, whole records alone; returns the larger number. */
static inline uint64_t cc_backlog(const struct cc_worker *worker)
{
    const struct cc_queue *queue = &worker->queue;
    uint64_t first = worker->moved > queue->head ? worker->moved : queue->head;
    uint64_t versions = queue->tail - first, records = queue->records - worker->records_moved;
    return versions > records ? versions : records;
}

/* Slows a worker down if many of its items are held back. A long transaction, or a transaction whose thread is
 * preempted, holds back the items that are retired meanwhile. It holds back fewer in two cases: if it names its
 * versions, only these and deleted records; if it is a snapshot that is not in the middle of a read, only the versions
 * that it may still read and deleted records. A thread that is preempted while it prunes
 * holds back everything that is freed by time. A preempted thread may be waiting for this very CPU, so a worker with a
 * large backlog sleeps after each transaction, in proportion to its backlog. Memory then grows with the square root of
 * the duration of the transaction, and no thread waits for another. */
static void cc_give_way(struct cc_worker *worker)
{
    if (__builtin_expect(worker->queue.tail - worker->queue.head <= CC_BACKLOG, true))
        return;
    if (cc_backlog(worker) <= CC_BACKLOG)
        return;
    cc_look(worker);
    uint64_t backlog = cc_backlog(worker);
    if (backlog <= CC_BACKLOG)
        return;
    uint64_t nap_ns = CC_NAP_NS * (backlog / CC_BACKLOG);
    struct timespec nap = {(time_t)(nap_ns / 1000000000), (long)(nap_ns % 1000000000)};
    (void)nanosleep(&nap, NULL);
    worker->base.counts.naps++;
}

#endif
