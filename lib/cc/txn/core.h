/* What all engines share: memory, workers and their places, tables, and reclamation.
 *
 * A header template over the stamp: each engine's translation unit has its own copy, so that no access to a record is a
 * call. An engine defines, before it includes this, `struct cc_txn` (its part of a worker) and `cc_item_free`.
 *
 * Reclamation, C10. Every transaction announces itself before it takes its time, and its time then (cc_enter). Memory
 * that was made unreachable at time t (by a clock read after it was) is reused when t < min(oldest active, now) - 2B,
 * an announced transaction without a time counting as minus infinity (cc_look_around). Why nobody uses it then:
 *
 *  - a transaction that could still hold a pointer took its time x before the memory became unreachable, so that
 *    t >= x - B by the lemma of ordo.h; it is active, so t < x - 2B, a contradiction;
 *  - one that begins later than the scan of cc_look_around has x >= now - B, and does not find the memory;
 *  - for superseded versions t is the time of the version above: for all active and future x, t + B < x - B, so every
 *    reader stops at the version above or before, and never follows its link down.
 *
 * The announcement is ordered before the time, and the time of cc_look_around before its look at the announcements, so
 * of a transaction and a scan one sees the other. The scan looks twice, for the sake of those who prune
 * (hekaton_prune.h).
 *
 * The conditions that the arguments in these files name. Their numbers are those of <ordo/cc/rlu.h>:
 *
 *  C1  The boundary covers every CPU of every worker: the caller's, txn.h. Where it does not, all that is said here is
 *      void. Who notices, because a wait for the clock is in vain, ends his transaction before anything of it was shown
 *      to anybody, and from then on nothing is reclaimed, since clocks decide when it may be [C1].
 *  C2  A transaction announces itself before it takes its time [C2].
 *  C3  What is no time is not taken for one [C3].
 *  C4  Who writes announces that he commits, by a state or by locks, before he reads the clock for his end [C4].
 *  C5  Nobody builds on what a transaction wrote before every clock has passed its end [C5].
 *  C6  Uncertain is not ordered [C6].
 *  C7  Nothing relies on different transactions having different times [C7].
 *  C8  The times of one worker do not decrease [C8].
 *  C9  A retry finds a later time [C9].
 *  C10 Memory is reused when nobody can hold or find it, as above [C10].
 */
#ifndef ORDO_CC_TXN_CORE_H
#define ORDO_CC_TXN_CORE_H

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <ordo/cc/history.h>
#include <ordo/cc/stamp.h>
#include <ordo/cc/txn.h>

#include "base/error.h"
#include "cc/history/note.h"
#include "cc/txn/index.h"

enum {
    CC_LINE = 128,
    CC_TABLES = 64,        /* of a database */
    CC_POOL = 512,         /* items of a table that a worker keeps */
    CC_WORKERS = 64,       /* unless told */
    CC_HORIZON_EVERY = 32, /* commits */
    CC_BACKLOG = 1 << 16,  /* items that a worker may retire while one transaction lasts, before it slows down */
    CC_NAP_NS = 100000,    /* of a worker with that backlog; more with more */
    CC_AHEAD = 1088        /* bytes of a record that are prefetched */
};

#define CC_IDLE UINT64_C(0)
#define CC_ANNOUNCED UINT64_C(1)
#define CC_SNAPSHOT (UINT64_C(1) << 63) /* beside a time: the transaction only reads what was valid at that time */

struct ordo_table {
    struct cc_hash hash;
    struct cc_list list;
    size_t record_bytes;
    size_t item_bytes; /* of what the pools hold: a version, or a record */
    unsigned number;
    uint64_t floor; /* single-version engines: the last validity of a record that left the index */
    struct ordo_db *db;
};

/* Something that became unreachable at `end`. */
struct cc_retired {
    uint64_t end;
    uint64_t begin; /* the engine's */
    void *item;
    struct ordo_table *table;
    uintptr_t kind; /* the engine's */
};

/* First in, first out; the ends of one worker ascend, but for at most 2B, which delays but does not break. */
struct cc_queue {
    struct cc_retired *ring;
    uint64_t head, tail, mask;
    uint64_t pruned; /* the tail when it was last pruned */
};

struct cc_pool {
    void *first; /* linked through the first word */
    unsigned count;
};

struct cc_worker {
    struct ordo_worker base;
    struct cc_queue queue;
    uint64_t horizon; /* what ended before may be reclaimed */
    uint64_t running; /* when everybody was last seen to have gone on: when the oldest transaction had begun, */
    uint64_t cuts;    /* the rounds of pruning until then, */
    uint64_t moved;   /* and the queue's tail */
    uint64_t id;      /* of the present transaction, unique in the database and not 0: number << 16 | index + 1 */
    int64_t items;    /* taken less put back, by this worker */
    unsigned since;   /* commits since the horizon was looked for */
    int taken;        /* by a joined worker */
    int doom;         /* what a doomed transaction answers, where it is not ORDO_TXN_CONFLICT */
    struct cc_pool pools[CC_TABLES];
    struct ordo_stamp_local stamp;
    _Alignas(
        CC_LINE) uint64_t active; /* CC_IDLE, CC_ANNOUNCED, or the transaction's time and CC_SNAPSHOT; read by all */
    uint64_t walk;                /* the engine's: a snapshot's reader is on its way */
    uint64_t state;               /* the engine's; read by whoever meets the transaction */
    _Alignas(CC_LINE) struct cc_txn txn;
};

struct ordo_db {
    const struct ordo_db_engine *engine; /* first, for lib/cc/txn/registry.c */
    struct ordo_db_options options;
    unsigned tables;
    struct ordo_table *table[CC_TABLES];
    struct cc_worker **places;
    unsigned places_used; /* places[0 .. places_used - 1] may be other than NULL */
    int disrupted;        /* for good */
    struct ordo_stamp stamp;
    uint64_t cuts; /* the engine's: rounds of pruning */
    int pruning;
    uint64_t last_begin, last_end; /* the engine's: the latest of workers that left */
};

/* Given by the engine: frees or puts away what is retired. Whether it is done with; otherwise it is asked again. */
static bool cc_item_free(struct cc_worker *worker, const struct cc_retired *retired);

/* ---- memory ---- */

static void *cc_default_allocate(void *context, size_t align, size_t bytes)
{
    (void)context;
    return aligned_alloc(align, (bytes + align - 1) / align * align);
}

static void cc_default_release(void *context, void *memory, size_t bytes)
{
    (void)context;
    (void)bytes;
    free(memory);
}

static inline void *cc_allocate(struct ordo_db *db, size_t align, size_t bytes)
{
    return db->options.memory.allocate(db->options.memory.context, align, bytes);
}

static inline void cc_release(struct ordo_db *db, void *memory, size_t bytes)
{
    if (memory)
        db->options.memory.release(db->options.memory.context, memory, bytes);
}

/* An item of the table's size from the worker's pool or the allocator. */
static inline void *cc_item_take(struct cc_worker *worker, struct ordo_table *table)
{
    struct cc_pool *pool = &worker->pools[table->number];
    void *item = pool->first;
    if (!item) {
        item = cc_allocate(table->db, 64, table->item_bytes);
        worker->items += item != NULL;
        worker->base.counts.versions_created += item != NULL;
        return item;
    }
    worker->items++;
    worker->base.counts.versions_created++;
    memcpy(&pool->first, item, sizeof item);
    pool->count--;
    return item;
}

static inline void cc_item_put(struct cc_worker *worker, struct ordo_table *table, void *item)
{
    struct cc_pool *pool = &worker->pools[table->number];
    worker->base.counts.versions_reclaimed++;
    worker->items--;
    if (pool->count >= CC_POOL) {
        cc_release(table->db, item, table->item_bytes);
        return;
    }
    memcpy(item, &pool->first, sizeof item);
    pool->first = item;
    pool->count++;
}

/* Room for one more element in an array of the worker's; 0 or ORDO_E_SYSTEM. */
static inline int cc_grow(struct ordo_db *db, void *array_pointer, size_t count, size_t *capacity, size_t element_bytes)
{
    void *array, *larger;
    size_t wider = *capacity ? 2 * *capacity : 64;
    if (count < *capacity)
        return ORDO_OK;
    larger = cc_allocate(db, 64, wider * element_bytes);
    if (!larger)
        return ORDO_E_SYSTEM;
    memcpy(&array, array_pointer, sizeof array);
    if (array)
        memcpy(larger, array, count * element_bytes);
    cc_release(db, array, *capacity * element_bytes);
    memcpy(array_pointer, &larger, sizeof larger);
    *capacity = wider;
    return ORDO_OK;
}

/* ---- times ---- */

/* A time for what has just become unreachable; a counter moves on, so that it will be past. */
static inline ordo_time cc_retire_time(struct cc_worker *worker)
{
    return ordo_stamp_take(&worker->base.db->stamp);
}

static inline ordo_time cc_max(ordo_time a, ordo_time b)
{
    return a.ticks > b.ticks ? a : b;
}

/* Makes a shared maximum at least `value`. Relaxed: what orders it is said where it is used. */
static inline void cc_keep_larger(uint64_t *maximum, uint64_t value)
{
    uint64_t seen = __atomic_load_n(maximum, __ATOMIC_RELAXED);
    while (seen < value &&
           !__atomic_compare_exchange_n(maximum, &seen, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

/* C2: announced, then the time. The time is announced too, which may be seen late: until then it is minus infinity. */
static inline ordo_time cc_enter(struct cc_worker *worker)
{
    struct ordo_db *db = worker->base.db;
    ordo_time now;
    /* Pairs with cc_look_around: whoever does not see this takes its time earlier. */
    __atomic_store_n(&worker->active, CC_ANNOUNCED, ORDO_STAMP_ANNOUNCE);
    now = ordo_stamp_now(&db->stamp);
    worker->base.counts.stamps++;
    /* Pairs with cc_look_around: no access of the transaction moves before. */
    __atomic_store_n(&worker->active, now.ticks, __ATOMIC_RELEASE);
    return now;
}

static inline void cc_exit(struct cc_worker *worker)
{
    /* Pairs with cc_look_around: the transaction's accesses are over. */
    __atomic_store_n(&worker->active, CC_IDLE, __ATOMIC_RELEASE);
}

/* The answer to a call in a transaction that is doomed, as one that is not open counts. */
static inline int cc_refuse(const struct cc_worker *worker)
{
    int answer = worker->doom < 0 ? worker->doom : ORDO_TXN_CONFLICT;
    return worker->txn.opened ? answer : ORDO_E_INVALID;
}

/* ---- disruption: what follows where C1 does not hold is in txn.h, and why that is safe in the engines ---- */

static inline bool cc_is_disrupted(const struct ordo_db *db)
{
    /* Relaxed: a worker that has set it sees it, and others may see it late. */
    return __atomic_load_n(&db->disrupted, __ATOMIC_RELAXED) || ordo_stamp_disrupted(&db->stamp);
}

/* C1: the transaction waited for the clock in vain, and is doomed; so is the database. */
static int cc_disrupt(struct cc_worker *worker)
{
    __atomic_store_n(&worker->base.db->disrupted, 1, __ATOMIC_RELAXED); /* as above */
    worker->base.counts.aborts_disrupted++;
    worker->txn.doomed = true;
    return worker->doom = ORDO_E_DISRUPTED;
}

/* ---- reclamation ---- */

/* What the worker of a place has announced, CC_IDLE where there is none. */
static inline uint64_t cc_announced(struct ordo_db *db, unsigned place)
{
    /* Pairs with cc_join: the worker is complete. */
    struct cc_worker *worker = __atomic_load_n(&db->places[place], __ATOMIC_ACQUIRE);
    /* Pairs with cc_enter, cc_exit: a transaction that is not seen here begins later than this scan or is over. */
    return worker ? __atomic_load_n(&worker->active, __ATOMIC_SEQ_CST) : CC_IDLE;
}

/* What the announcements say. */
struct cc_view {
    uint64_t horizon; /* of C10 */
    uint64_t running; /* the oldest transaction, snapshots left out */
    uint64_t walk;    /* the oldest walk of a snapshot's reader */
};

/* The time is taken before the announcements are looked at. */
static struct cc_view cc_look_around(struct ordo_db *db)
{
    uint64_t twice = 2 * ordo_stamp_boundary(&db->stamp), oldest = ordo_stamp_now(&db->stamp).ticks;
    struct cc_view view = {.running = oldest, .walk = UINT64_MAX};
    /* Pairs with cc_join: a place that is not counted here is of a worker that takes its times later. */
    unsigned used = __atomic_load_n(&db->places_used, __ATOMIC_SEQ_CST);
    for (unsigned i = 0; i < 2 * used; i++) {
        uint64_t active = cc_announced(db, i % used), time = active & ~CC_SNAPSHOT;
        uint64_t walk = active == time ? 0 : __atomic_load_n(&db->places[i % used]->walk, __ATOMIC_RELAXED);
        if (active != CC_IDLE && time < oldest)
            oldest = time;
        if (active != CC_IDLE && active < view.running)
            view.running = active;
        if (walk && walk - 1 < view.walk)
            view.walk = walk - 1;
    }
    view.horizon = oldest > twice ? oldest - twice : 0;
    return view;
}

static void cc_look(struct cc_worker *worker)
{
    struct ordo_db *db = worker->base.db;
    struct cc_view view = cc_look_around(db);
    worker->horizon = view.horizon;
    if (view.running > worker->running && view.walk >= worker->cuts) {
        worker->running = view.running;
        worker->cuts = __atomic_load_n(&db->cuts, __ATOMIC_RELAXED);
        worker->moved = worker->queue.tail;
    }
}

static inline uint64_t cc_queue_capacity(const struct cc_queue *queue)
{
    return queue->ring ? queue->mask + 1 : 0;
}

/* Another ring, of a power of two that holds all that is queued. */
static int cc_queue_resize(struct ordo_db *db, struct cc_queue *queue, uint64_t capacity)
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

/* Room for `count` more, so that a commit cannot fail for want of it. */
static int cc_queue_reserve(struct ordo_db *db, struct cc_queue *queue, uint64_t count)
{
    uint64_t capacity = cc_queue_capacity(queue), wanted = queue->tail - queue->head + count;
    if (wanted <= capacity)
        return ORDO_OK;
    for (capacity = capacity ? capacity : 256; capacity < wanted;)
        capacity *= 2;
    return cc_queue_resize(db, queue, capacity);
}

static inline void cc_retire(struct cc_worker *worker, struct ordo_table *table, void *item, uintptr_t kind,
                             uint64_t end)
{
    struct cc_queue *queue = &worker->queue;
    queue->ring[queue->tail++ & queue->mask] = (struct cc_retired){end, 0, item, table, kind};
}

/* Gives the ring's memory back once a long reader's backlog is gone. Where there is none for a smaller one, it waits.
 * Not inside a transaction, which has reserved what it needs. */
static void cc_queue_shrink(struct cc_worker *worker)
{
    enum { KEPT = 4096 };
    struct cc_queue *queue = &worker->queue;
    if (queue->mask >= KEPT && queue->tail - queue->head < KEPT / 4)
        (void)cc_queue_resize(worker->base.db, queue, KEPT);
}

/* Reclaims what has ended long enough ago; a little at a time, unless told to go on. */
static void cc_reclaim(struct cc_worker *worker, bool all)
{
    struct cc_queue *queue = &worker->queue;
    uint64_t until = all ? queue->tail : queue->head + 64;
    if (cc_is_disrupted(worker->base.db))
        return; /* C1: what is retired stays until the close */
    if (all || ++worker->since >= CC_HORIZON_EVERY) {
        worker->since = 0;
        cc_look(worker);
    }
    while (queue->head != queue->tail && queue->head != until) {
        struct cc_retired retired = queue->ring[queue->head & queue->mask];
        if (retired.end >= worker->horizon) /* C10 */
            break;
        queue->head++;
        if (!cc_item_free(worker, &retired))
            cc_retire(worker, retired.table, retired.item, retired.kind, ordo_stamp_now(&worker->base.db->stamp).ticks);
    }
}

/* A transaction whose thread does not run, or that takes long, holds back all that is retired meanwhile (of snapshots,
 * only one that is in the middle of a read: the rest is pruned), and it may be waiting for just this CPU. So a worker
 * that has retired much since then sleeps after each transaction, and the longer the more it is: memory grows with the
 * square root of the time that it lasts, and nobody waits for anybody. */
static void cc_give_way(struct cc_worker *worker)
{
    uint64_t backlog = worker->queue.tail - worker->moved;
    if (__builtin_expect(backlog <= CC_BACKLOG, true))
        return;
    cc_look(worker);
    backlog = worker->queue.tail - worker->moved;
    if (backlog <= CC_BACKLOG)
        return;
    uint64_t nap_ns = CC_NAP_NS * (backlog / CC_BACKLOG);
    struct timespec nap = {(time_t)(nap_ns / 1000000000), (long)(nap_ns % 1000000000)};
    (void)nanosleep(&nap, NULL);
    worker->base.counts.naps++;
}

/* ---- databases, tables, workers ---- */

static int cc_open(struct ordo_db **result, const struct ordo_db_engine *engine, const struct ordo_db_options *options)
{
    struct ordo_db_options chosen = *options;
    struct ordo_db *db;
    if (!chosen.memory.allocate || !chosen.memory.release)
        chosen.memory = (struct ordo_memory){cc_default_allocate, cc_default_release, NULL};
    if (chosen.workers == 0)
        chosen.workers = CC_WORKERS;
    if (chosen.workers > UINT16_MAX - 1)
        return ORDO_E_INVALID;
    db = chosen.memory.allocate(chosen.memory.context, CC_LINE, sizeof *db);
    if (!db)
        return ORDO_E_SYSTEM;
    memset(db, 0, sizeof *db);
    db->engine = engine;
    db->options = chosen;
    db->places = cc_allocate(db, CC_LINE, chosen.workers * sizeof *db->places);
    int code = db->places ? ordo_stamp_init(&db->stamp, chosen.boundary_ticks, chosen.watch) : ORDO_E_SYSTEM;
    if (code) {
        cc_release(db, db->places, chosen.workers * sizeof *db->places);
        chosen.memory.release(chosen.memory.context, db, sizeof *db);
        return code;
    }
    memset(db->places, 0, chosen.workers * sizeof *db->places);
    *result = db;
    return ORDO_OK;
}

#define CC_FIRST_TOWER_BYTES (sizeof(struct cc_tower) + CC_TOWER * sizeof(struct cc_tower *))

static void cc_table_free(struct ordo_db *db, struct ordo_table *table)
{
    if (table->hash.buckets)
        cc_release(db, table->hash.buckets, sizeof(uintptr_t) << (64 - table->hash.shift));
    cc_release(db, table->list.first, CC_FIRST_TOWER_BYTES);
    cc_release(db, table, sizeof *table);
}

static int cc_table_add(struct ordo_db *db, const struct ordo_table_spec *spec, size_t item_bytes,
                        struct ordo_table **result)
{
    unsigned bits = 6;
    if (db->tables == CC_TABLES || spec->record_bytes == 0 || spec->record_bytes > 1u << 20 ||
        spec->rows > UINT64_C(1) << 36 || (spec->ordered && !db->engine->scans))
        return ORDO_E_INVALID;
    struct ordo_table *table = cc_allocate(db, CC_LINE, sizeof *table);
    if (!table)
        return ORDO_E_SYSTEM;
    while (UINT64_C(1) << bits < spec->rows)
        bits++;
    bits++; /* half of the buckets empty */
    memset(table, 0, sizeof *table);
    *table = (struct ordo_table){.record_bytes = spec->record_bytes,
                                 .item_bytes = (item_bytes + spec->record_bytes + 63) / 64 * 64,
                                 .number = db->tables,
                                 .db = db,
                                 .hash.shift = 64 - bits,
                                 .list.random = db->tables};
    table->hash.buckets = cc_allocate(db, CC_LINE, sizeof(uintptr_t) << bits);
    table->list.first = spec->ordered ? cc_allocate(db, CC_LINE, CC_FIRST_TOWER_BYTES) : NULL;
    if (!table->hash.buckets || (spec->ordered && !table->list.first)) {
        cc_table_free(db, table);
        return ORDO_E_SYSTEM;
    }
    memset(table->hash.buckets, 0, sizeof(uintptr_t) << bits);
    if (spec->ordered) {
        memset(table->list.first, 0, CC_FIRST_TOWER_BYTES);
        table->list.first->height = CC_TOWER;
    }
    db->table[db->tables++] = *result = table;
    return ORDO_OK;
}

/* A worker in a place that nobody has: one that was used before keeps what it still has to reclaim. */
static int cc_join(struct ordo_db *db, struct ordo_worker **result)
{
    for (unsigned i = 0; i < db->options.workers; i++) {
        /* Pairs with the exchange below: the worker is complete. */
        struct cc_worker *worker = __atomic_load_n(&db->places[i], __ATOMIC_ACQUIRE), *fresh = NULL;
        if (!worker) {
            fresh = cc_allocate(db, CC_LINE, sizeof *fresh);
            if (!fresh)
                return ORDO_E_SYSTEM;
            memset(fresh, 0, sizeof *fresh);
            fresh->base = (struct ordo_worker){.engine = db->engine, .db = db, .index = i};
            fresh->id = i + 1;
            fresh->txn.doomed = true; /* none is open */
            /* Pairs with the load above and cc_look_around: the worker is complete. */
            if (__atomic_compare_exchange_n(&db->places[i], &worker, fresh, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
                worker = fresh;
            else
                cc_release(db, fresh, sizeof *fresh);
        }
        /* Pairs with cc_leave: its last user is done with it. */
        if (!__atomic_exchange_n(&worker->taken, 1, __ATOMIC_ACQUIRE)) {
            /* Pairs with cc_look_around, which must see this before it trusts that nobody older is active: in the one
             * order of all such accesses the load too, where another worker's store is enough. */
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

static void cc_leave(struct ordo_worker *base)
{
    struct cc_worker *worker = (struct cc_worker *)base;
    cc_reclaim(worker, true);
    cc_queue_shrink(worker);
    /* Pairs with cc_join: the place is in order. */
    __atomic_store_n(&worker->taken, 0, __ATOMIC_RELEASE);
}

/* At rest. All times so far are settled then: whatever was decided, superseded or retired by the old boundary is
 * certainly before every transaction that begins later. */
static int cc_raise(struct ordo_db *db, uint64_t boundary_ticks)
{
    for (unsigned i = 0; i < db->options.workers; i++)
        if (db->places[i] && db->places[i]->txn.opened)
            return ORDO_E_INVALID;
    return cc_is_disrupted(db) ? ORDO_E_DISRUPTED : ordo_stamp_raise(&db->stamp, boundary_ticks);
}

/* Frees a place: what it had to reclaim, and its pools. Nobody is active. */
static void cc_worker_free(struct cc_worker *worker)
{
    struct ordo_db *db = worker->base.db;
    worker->horizon = UINT64_MAX;
    while (worker->queue.head != worker->queue.tail) {
        struct cc_retired retired = worker->queue.ring[worker->queue.head++ & worker->queue.mask];
        (void)cc_item_free(worker, &retired);
    }
    for (unsigned i = 0; i < db->tables; i++)
        for (void *item = worker->pools[i].first, *next; item; item = next) {
            memcpy(&next, item, sizeof next);
            cc_release(db, item, db->table[i]->item_bytes);
        }
    cc_release(db, worker->queue.ring, cc_queue_capacity(&worker->queue) * sizeof *worker->queue.ring);
    cc_release(db, worker, sizeof *worker);
}

static void cc_close(struct ordo_db *db)
{
    struct ordo_memory memory = db->options.memory;
    cc_release(db, db->places, db->options.workers * sizeof *db->places);
    memory.release(memory.context, db, sizeof *db);
}

#endif
