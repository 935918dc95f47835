/* Reclaiming what has been retired, and slowing down where that is held back. The argument is in core.h. */
#ifndef ORDO_CC_TXN_CORE_RECLAIM_H
#define ORDO_CC_TXN_CORE_RECLAIM_H

#include <time.h>

#include "cc/txn/core/doom.h"
#include "cc/txn/core/horizon.h"
#include "cc/txn/core/queue.h"

/* Whether the horizon is to be looked at again, after one more commit. Often where much was retired, so that memory is
 * used again before it has left the core's cache; seldom where records are small, since the look costs a line of each
 * worker's. */
static inline bool cc_look_is_due(struct cc_worker *worker)
{
    unsigned used = __atomic_load_n(&worker->base.db->places_used, __ATOMIC_RELAXED); /* how often, and no more */
    uint64_t bytes = worker->retired_bytes - worker->seen_bytes;
    unsigned commits = bytes < CC_HORIZON_BYTES ? CC_HORIZON_MOST : CC_HORIZON_LEAST;
    return ++worker->since >= (commits < used ? used : commits);
}

/* Reclaims what has ended long enough ago; a little at a time, unless told to go on: a share of what waits, so that a
 * queue into which more comes than that little gets no longer than some times what comes. */
static void cc_reclaim(struct cc_worker *worker, bool all, cc_free_item *free_item)
{
    struct cc_queue *queue = &worker->queue;
    uint64_t until = all ? queue->tail : queue->head + 64 + (queue->tail - queue->head) / 8;
    if (cc_is_disrupted(worker->base.db))
        return; /* C1: what is retired stays until the close */
    if (cc_look_is_due(worker) || all) {
        worker->since = 0;
        worker->seen_bytes = worker->retired_bytes;
        cc_look(worker);
    }
    while (queue->head != queue->tail && queue->head != until) {
        struct cc_retired retired = queue->ring[queue->head & queue->mask];
        if (retired.end >= worker->horizon) /* C10 */
            break;
        /* The horizon is 2B before a time that was taken earlier, which this announcement is not before by more than B. */
        ORDO_INVARIANT("txn", "C10", worker->active == CC_IDLE || retired.end < cc_time_of(worker->active),
                       "an item that is freed ended before this transaction began", worker, retired.end,
                       worker->active);
        queue->head++;
        if (!free_item(worker, &retired))
            cc_retire(worker, retired.table, retired.item, retired.kind, ordo_stamp_now(&worker->base.db->stamp).ticks);
    }
}

/* What waits of that which was retired since everybody whom it waits for was last seen to have gone on. */
static inline uint64_t cc_backlog(const struct cc_worker *worker)
{
    const struct cc_queue *queue = &worker->queue;
    uint64_t first = worker->moved > queue->head ? worker->moved : queue->head;
    uint64_t versions = queue->tail - first, records = queue->records - worker->records_moved;
    return versions > records ? versions : records;
}

/* A transaction whose thread does not run, or that takes long, holds back what is retired meanwhile, unless it names what
 * it holds or is a snapshot that is not in the middle of a read; even so it holds back records that were deleted. A thread
 * that has lost its CPU while it prunes holds back all that is freed by time. Whoever it is may be waiting for just this CPU. So a worker
 * with much of that sleeps after each transaction, and the longer the more it is: memory grows with the square root of
 * the time that it lasts, and nobody waits for anybody. */
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
