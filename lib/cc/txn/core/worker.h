/* Workers and their places. A place is a slot of the database for a worker. When a worker leaves, its memory stays in
 * the place for the next worker that joins there. */
#ifndef ORDO_CC_TXN_CORE_WORKER_H
#define ORDO_CC_TXN_CORE_WORKER_H

#include "cc/txn/core/reclaim.h"

/* Joins a worker in a free place. If the place was used before, the new worker takes over the items that wait to be
 * reclaimed. `bytes`: size of the engine's worker. */
static int cc_join(struct ordo_db *db, size_t bytes, struct ordo_worker **result)
{
    for (unsigned i = 0; i < db->options.workers; i++) {
        /* Pairs with the exchange below: the worker is complete. */
        struct cc_worker *worker = __atomic_load_n(&db->places[i], __ATOMIC_ACQUIRE), *fresh = NULL;
        if (!worker) {
            fresh = cc_allocate(db, CC_LINE, bytes);
            if (!fresh)
                return ORDO_E_SYSTEM;
            memset(fresh, 0, bytes);
            fresh->base = (struct ordo_worker){.engine = db->engine, .db = db, .index = i};
            fresh->id = i + 1;
            fresh->doomed = true; /* no transaction is open */
            /* Pairs with the load above and cc_look_around: the worker is complete. */
            if (__atomic_compare_exchange_n(&db->places[i], &worker, fresh, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
                worker = fresh;
            else
                cc_release(db, fresh, bytes);
        }
        /* Pairs with cc_leave: the last user of the place has finished with it. */
        if (!__atomic_exchange_n(&worker->taken, 1, __ATOMIC_ACQUIRE)) {
            /* Pairs with cc_look_around, which must count this place before it relies on the place having no older
             * transaction. The load is sequentially consistent too, in case another worker's store has already raised
             * the count far enough. */
            unsigned used = __atomic_load_n(&db->places_used, __ATOMIC_SEQ_CST);
            while (used < i + 1 && !__atomic_compare_exchange_n(&db->places_used, &used, i + 1, true, __ATOMIC_SEQ_CST,
                                                                __ATOMIC_SEQ_CST))
                ;
            worker->base.history = NULL;
            worker->base.counts = (struct ordo_txn_counts){0};
            *result = &worker->base;
            return ORDO_OK;
        }
    }
    return ORDO_E_INVALID;
}

static void cc_leave(struct ordo_worker *base, cc_free_item *free_item)
{
    struct cc_worker *worker = (struct cc_worker *)base;
    /* Only the owner of the place leaves it. */
    ORDO_INVARIANT("txn", "use", worker->taken, "a worker leaves once", worker, worker->taken, worker->id);
    ORDO_INVARIANT("txn", "use", !worker->opened, "a worker leaves without a transaction", worker, worker->opened,
                   worker->id);
    cc_reclaim(worker, true, free_item);
    cc_queue_shrink(worker, true);
    /* Pairs with cc_join: the place is ready for its next user. */
    __atomic_store_n(&worker->taken, 0, __ATOMIC_RELEASE);
}

/* Frees a place: its retired items, its pools, and its worker, of `bytes` bytes. Call while no transaction is
 * active. */
static void cc_worker_free(struct cc_worker *worker, size_t bytes, cc_free_item *free_item)
{
    struct ordo_db *db = worker->base.db;
    /* The caller promises that no other thread uses the database. */
    ORDO_INVARIANT("txn", "use", !worker->taken, "a database is closed when no worker is joined", worker, worker->taken,
                   worker->id);
    worker->horizon = UINT64_MAX;
    while (worker->queue.head != worker->queue.tail) {
        struct cc_retired retired = worker->queue.ring[worker->queue.head++ & worker->queue.mask];
        (void)free_item(worker, &retired);
    }
    for (unsigned i = 0; i < db->tables; i++)
        while (worker->pools[i].first)
            cc_release(db, cc_pool_pop(worker, db->table[i]), db->table[i]->item_bytes);
    cc_release(db, worker->queue.ring, cc_queue_capacity(&worker->queue) * sizeof *worker->queue.ring);
    cc_release(db, worker, bytes);
}

#endif
