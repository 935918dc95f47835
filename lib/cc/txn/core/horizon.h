/* Scans of all workers' announcements, and the horizon: items that ended before it may be reclaimed. The argument is in
 * core.h. */
#ifndef ORDO_CC_TXN_CORE_HORIZON_H
#define ORDO_CC_TXN_CORE_HORIZON_H

#include "cc/txn/core/types.h"

/* Returns the worker in a place of the database, or NULL. */
static inline struct cc_worker *cc_worker_of(struct ordo_db *db, unsigned place)
{
    return __atomic_load_n(&db->places[place], __ATOMIC_ACQUIRE); /* pairs with cc_join: the worker is complete */
}

/* Returns the announcement of the worker in a place, CC_IDLE if the place has no worker. */
static inline uint64_t cc_announced(struct ordo_db *db, unsigned place)
{
    struct cc_worker *worker = cc_worker_of(db, place);
    /* Pairs with cc_enter, cc_exit: a transaction that this load does not see begins after this scan, or is over. */
    return worker ? __atomic_load_n(&worker->active, __ATOMIC_SEQ_CST) : CC_IDLE;
}

/* Returns the time in an announcement. CC_IDLE and CC_ANNOUNCED stay as they are, CC_PRUNES becomes 0. */
static inline uint64_t cc_time_of(uint64_t active)
{
    return active & ~CC_FENCED;
}

static inline bool cc_is_snapshot(uint64_t active)
{
    return (active & CC_FENCED) == CC_SNAPSHOT && active != CC_PRUNES;
}

static inline bool cc_is_fenced(uint64_t active)
{
    return (active & CC_FENCED) == CC_FENCED;
}

static inline bool cc_is_unfenced(uint64_t active)
{
    return (active & CC_FENCED) == CC_HAZARDS;
}

/* True if the kernel has a fence for all threads. Relaxed: the answer changes at most once, to false, and a worker that
 * relies on the fence checks again. */
static inline bool cc_has_fence(const struct ordo_db *db)
{
    return __atomic_load_n(&db->fences, __ATOMIC_RELAXED) != CC_FENCED_FOR_GOOD;
}

/* True if a transaction with this announcement holds back, of all versions, only those that it names: it issues a fence
 * after each name, or the kernel has a fence for all threads. Deleted records wait for it by its time in any case. */
static inline bool cc_names(const struct ordo_db *db, uint64_t active)
{
    return cc_is_fenced(active) || (cc_is_unfenced(active) && cc_has_fence(db));
}

/* The result of a scan of the announcements. */
struct cc_view {
    uint64_t horizon;      /* items that ended before this may be freed (C10) */
    uint64_t unnamed;      /* the horizon, not counting transactions that name their versions */
    struct cc_least least; /* the oldest transactions that hold items back */
    uint64_t walk;         /* the number of the oldest walk of a snapshot, or UINT64_MAX */
};

static inline void cc_keep_least(uint64_t *least, uint64_t time)
{
    *least = time < *least ? time : *least;
}

/* Takes a time, then scans the announcements twice. */
static struct cc_view cc_look_around(struct ordo_db *db)
{
    uint64_t twice = 2 * ordo_stamp_boundary(&db->stamp), oldest = ordo_stamp_now(&db->stamp).ticks;
    struct cc_view view = {.unnamed = oldest, .least = {oldest, oldest}, .walk = UINT64_MAX};
    /* Pairs with cc_join: a worker in a place that is not counted here takes its times later. */
    unsigned used = __atomic_load_n(&db->places_used, __ATOMIC_SEQ_CST);
    for (unsigned i = 0; i < 2 * used; i++) {
        uint64_t active = cc_announced(db, i % used), time = cc_time_of(active);
        if (active == CC_IDLE)
            continue;
        bool is_snapshot = cc_is_snapshot(active), names = cc_names(db, active);
        uint64_t walk = is_snapshot ? __atomic_load_n(&cc_worker_of(db, i % used)->walk, __ATOMIC_RELAXED) : 0;
        cc_keep_least(&oldest, time);
        if (!names)
            cc_keep_least(&view.unnamed, time);
        if (!is_snapshot)
            cc_keep_least(&view.least.records, time);
        if (!is_snapshot && !names)
            cc_keep_least(&view.least.versions, time);
        if (walk)
            cc_keep_least(&view.walk, walk - 1);
    }
    view.horizon = oldest > twice ? oldest - twice : 0;
    view.unnamed = view.unnamed > twice ? view.unnamed - twice : 0;
    return view;
}

static void cc_look(struct cc_worker *worker)
{
    struct ordo_db *db = worker->base.db;
    struct cc_view view = cc_look_around(db);
    worker->horizon = view.horizon;
    if (view.least.versions > worker->least.versions && view.walk >= worker->cuts) {
        worker->least.versions = view.least.versions;
        worker->cuts = __atomic_load_n(&db->cuts, __ATOMIC_RELAXED);
        worker->moved = worker->queue.tail;
    }
    if (view.least.records > worker->least.records) {
        worker->least.records = view.least.records;
        worker->records_moved = worker->queue.records;
    }
}

#endif
