/* Reclamation while the thread of a serialisable transaction is stopped or preempted. By time alone (core.h), every
 * version that was superseded after the begin of this transaction would wait for its end. But such a transaction never
 * searches for a version by time, and it holds few pointers. So it names each version that it holds, and the reclaimer
 * checks the names. The names are hazard pointers (M. Michael, IEEE Transactions on Parallel and Distributed Systems
 * 2004). fence.h says which thread issues the fence between the store of a name and the load that checks the named
 * version.
 *
 * The names of such a transaction T are the two versions in `at`, which T is accessing (hk_name, hk_name_below), and,
 * until T ends, the versions in `reads`. T does not access the versions in `reads` again, but compares their addresses,
 * so their memory must not be reused for other versions; and a view points into such a version. A version that T
 * replaces needs no name: T has the claim of its record, so no other transaction retires this version. Anchors, and the
 * deletions that go with them (HK_TOMB), wait for T by time.
 *
 * When the memory of a version X may be reused. X left its chain earlier (hk_publish, hk_roll_back, hk_cut): either X
 * was the head and was removed, or X was below a version that had its time from then on. The worker that retired X
 * scans the announcements (cc_look_around), passes the fence (hk_order_names), and loads `at` and then `reads` of each
 * other worker (hk_mark_names_of). X is free if no name is X, and if X ended before min(oldest transaction that names
 * nothing, now) - 2B. Then no transaction T uses X. There are four cases:
 *
 *  - T named X before the fence. The load of `at` finds X, or a name that T stored over X with release. If it finds
 *    such a later name, X was already among the reads of T, or T did not need X any more. The load of `reads`, which
 *    follows, then finds X: `reads` shrinks only at the end of T, and if the array has grown, the new array was
 *    complete before it was published.
 *  - T named X after the fence. Then the check of T comes after the fence too, and sees all stores that the worker made
 *    before the fence. T cannot find X at the head: a version becomes the head at most once, and the head moves from a
 *    version to the version below only if the upper version is rolled back. Either X itself was rolled back, or the
 *    version above X has its time and cannot be rolled back any more. T cannot find X below a head h that has no time
 *    and is still the head at the check, because versions below h are not retired until h has its time. For this reason
 *    T checks that h is still the head and has no time (hk_name_below). If T finds no version below h, it makes the
 *    same check: as long as h has no time, no version below h has been removed.
 *  - T began after the scans of the announcements (cc_look_around; hk_oldest_unfenced in fence.h). Then T does not find
 *    X (core.h, the second reason of C10).
 *  - T names nothing, or begins to read by time later. Then T reaches no version that ended so long ago (core.h, C10).
 *
 * Cost. A scan of the names loads the cache lines of all names, visits the waiting items, and sometimes issues a fence
 * for all threads. It looks up each name in a set of the versions that might be freed. This set is small, so a
 * transaction that has read millions of versions costs the other workers no memory. One scan serves many versions. The
 * more names the last scan met, and the more items it left waiting, the more versions must be retired before the next
 * scan. Fewer versions are enough if the scan needs no fence for all threads, so that memory is reused while it is
 * still in a cache. */
#ifndef ORDO_CC_TXN_HEKATON_HAZARDS_H
#define ORDO_CC_TXN_HEKATON_HAZARDS_H

#include "cc/txn/hekaton/retire.h"

#if !defined HK_UNNAMED_FROM
#define HK_UNNAMED_FROM 256 /* least number of waiting items, and least progress since the last scan, for a scan */
#endif
#define HK_UNNAMED_MOST (4 * HK_UNNAMED_FROM) /* least progress if the retired items are small */
#define HK_UNNAMED_BYTES (1 << 19)            /* retired bytes from which on a progress of HK_UNNAMED_FROM is enough */
#define HK_CHEAP_SHARE 8                      /* divisor of these three numbers if no fence for all threads is needed */
#define HK_CHEAP_PLACES 16                    /* such a batch is then multiplied by 1 + places / HK_CHEAP_PLACES */
#define HK_NAMES_SHARE 32 /* the least progress grows by 1 for each 32 names that the last scan met */
#define HK_KEPT_SHARE 8   /* the least progress grows by 1 for each 8 items that the last scan left waiting */
#define HK_KEPT_MOST (4 * CC_BACKLOG) /* of the items left waiting, at most this number count */
#define HK_CANDIDATES 2048            /* slots for candidates that a worker keeps between scans */
#define HK_NAMED UINT64_C(1)          /* a mark on an address: the version is named */

/* ---- the candidates for freeing ---- */

/* Returns the slot of a version among the candidates, NULL if the version is no candidate. */
static inline uintptr_t *hk_candidate(const struct hk_candidates *candidates, const void *version)
{
    size_t mask = candidates->capacity - 1, at = ((uintptr_t)version >> 6) * UINT64_C(0x9e3779b97f4a7c15) >> 32 & mask;
    if (candidates->count == 0)
        return NULL;
    for (; candidates->slots[at]; at = (at + 1) & mask)
        if ((candidates->slots[at] & ~HK_NAMED) == (uintptr_t)version)
            return &candidates->slots[at];
    return NULL;
}

/* True if a version is a candidate and is not named. */
static inline bool hk_is_unnamed(const struct hk_candidates *candidates, const void *version)
{
    const uintptr_t *slot = hk_candidate(candidates, version);
    return slot && !(*slot & HK_NAMED);
}

/* Adds a version to the candidates. The caller has made room for it. */
static void hk_candidate_add(struct hk_candidates *candidates, const void *version)
{
    size_t mask = candidates->capacity - 1, at = ((uintptr_t)version >> 6) * UINT64_C(0x9e3779b97f4a7c15) >> 32 & mask;
    while (candidates->slots[at])
        at = (at + 1) & mask;
    candidates->slots[at] = (uintptr_t)version;
    candidates->count++;
}

static void hk_candidates_free(struct ordo_db *db, struct hk_candidates *candidates)
{
    cc_release(db, candidates->slots, candidates->capacity * sizeof *candidates->slots);
    *candidates = (struct hk_candidates){0};
}

/* Empties the set and makes room for `count` candidates. False: out of memory. */
static bool hk_candidates_begin(struct ordo_db *db, struct hk_candidates *candidates, size_t count)
{
    size_t capacity = HK_CANDIDATES;
    while (capacity < 2 * count)
        capacity *= 2;
    if (capacity != candidates->capacity) {
        hk_candidates_free(db, candidates);
        candidates->slots = cc_allocate(db, 64, capacity * sizeof *candidates->slots);
        if (!candidates->slots)
            return false;
        candidates->capacity = capacity;
    }
    memset(candidates->slots, 0, capacity * sizeof *candidates->slots);
    candidates->count = 0;
    return true;
}

/* Ends a scan, and frees the set if it has grown. */
static void hk_candidates_end(struct ordo_db *db, struct hk_candidates *candidates)
{
    candidates->count = 0;
    if (candidates->capacity > HK_CANDIDATES)
        hk_candidates_free(db, candidates);
}

static inline bool hk_is_version(const struct cc_retired *retired, bool is_cut)
{
    return retired->kind == HK_CUT || (!is_cut && retired->kind == HK_VERSION);
}

/* Makes candidates of the versions among the queued items before `until`; if `is_cut`, only of the cut versions. False:
 * out of memory. */
static bool hk_gather(struct cc_worker *worker, uint64_t until, bool is_cut)
{
    struct hk_candidates *candidates = &((struct hk_worker *)worker)->candidates;
    const struct cc_queue *queue = &worker->queue;
    size_t count = 0;
    for (uint64_t at = queue->head; at != until; at++)
        count += hk_is_version(&queue->ring[at & queue->mask], is_cut);
    if (!hk_candidates_begin(worker->base.db, candidates, count))
        return false;
    for (uint64_t at = queue->head; at != until; at++)
        if (hk_is_version(&queue->ring[at & queue->mask], is_cut))
            hk_candidate_add(candidates, queue->ring[at & queue->mask].item);
    return true;
}

/* ---- the scan of the names ---- */

static inline void hk_mark_named(const struct hk_candidates *candidates, const void *version)
{
    uintptr_t *slot = hk_candidate(candidates, version);
    if (slot)
        *slot |= HK_NAMED;
}

/* Marks the candidates that one worker names. Returns the number of its reads. */
static size_t hk_mark_names_of(const struct hk_candidates *candidates, struct cc_worker *worker)
{
    struct hk_txn *txn = hk_txn(worker);
    /* Pairs with hk_show_name: versions named here earlier are among the reads that are counted below. */
    const void *head = __atomic_load_n(&txn->at[0], __ATOMIC_ACQUIRE);
    const void *below = __atomic_load_n(&txn->at[1], __ATOMIC_ACQUIRE); /* pairs with hk_show_name too */
    /* Pairs with hk_add_read: the counted reads are stored. Pairs with hk_finish: the transaction's accesses are
     * over. */
    size_t count = __atomic_load_n(&txn->read_count, __ATOMIC_ACQUIRE);
    /* Pairs with hk_grow_reads: this load follows the load of the count, so the array has at least `count` elements. */
    const struct hk_read *reads = __atomic_load_n(&txn->reads, __ATOMIC_ACQUIRE);
    hk_mark_named(candidates, head);
    hk_mark_named(candidates, below);
    for (size_t i = 0; i < count; i++)
        /* Relaxed: the load of the count orders this one. If the transaction has ended since then, any value will
         * do. */
        hk_mark_named(candidates, __atomic_load_n(&reads[i].version, __ATOMIC_RELAXED));
    return count;
}

/* Marks the candidates that other workers name. False: some marks may be missing, because there was no fence. */
static bool hk_mark_names(struct cc_worker *worker)
{
    struct hk_worker *mine = (struct hk_worker *)worker;
    struct ordo_db *db = worker->base.db;
    if (mine->candidates.count == 0)
        return true;
    if (!hk_order_names(worker))
        return false;
    unsigned used = __atomic_load_n(&db->places_used, __ATOMIC_SEQ_CST); /* pairs with cc_join, as in cc_look_around */
    mine->names = 0;
    for (unsigned i = 0; i < used; i++) {
        struct cc_worker *other = cc_worker_of(db, i);
        if (other && i != worker->base.index)
            mine->names += hk_mark_names_of(&mine->candidates, other);
    }
    return true;
}

/* Returns the progress of a worker: the number of items ever queued, plus a fourth of the number of its transactions,
 * so that waiting items are scanned again even if no items are added. */
static inline uint64_t hk_progress(const struct cc_worker *worker)
{
    return worker->queue.tail + (worker->id >> 18);
}

/* True if a scan will probably need no fence for all threads. */
static inline bool hk_looks_cheaply(const struct cc_worker *worker)
{
    return hk_is_symmetric(worker->base.db) && ((const struct hk_worker *)worker)->unfenced == CC_IDLE;
}

/* Returns the progress that a worker must make between two scans that free versions. It is larger if few bytes were
 * retired since the last scan, and smaller if a scan is cheap. */
static inline uint64_t hk_batch(const struct cc_worker *worker)
{
    uint64_t bytes = worker->retired_bytes - ((const struct hk_worker *)worker)->looked_bytes;
    if (!hk_looks_cheaply(worker))
        return bytes < HK_UNNAMED_BYTES ? HK_UNNAMED_MOST : HK_UNNAMED_FROM;
    unsigned used = __atomic_load_n(&worker->base.db->places_used, __ATOMIC_RELAXED); /* a hint */
    uint64_t batch = (bytes < HK_UNNAMED_BYTES / HK_CHEAP_SHARE ? HK_UNNAMED_MOST : HK_UNNAMED_FROM) / HK_CHEAP_SHARE;
    batch *= 1 + used / HK_CHEAP_PLACES;
    return batch > HK_UNNAMED_MOST ? HK_UNNAMED_MOST : batch;
}

/* True if the progress since the last scan, at progress `since`, pays for another one. The least progress is `batch`,
 * plus shares of the names that the last scan met and of the `kept` items that it left waiting. */
static inline bool hk_look_pays(const struct cc_worker *worker, uint64_t batch, uint64_t since, uint64_t kept)
{
    uint64_t names = ((const struct hk_worker *)worker)->names;
    uint64_t more = names / HK_NAMES_SHARE + (kept < HK_KEPT_MOST ? kept : HK_KEPT_MOST) / HK_KEPT_SHARE;
    return hk_progress(worker) - since >= batch + more;
}

/* Excludes `count` items that were queued again from the progress and from the backlog. */
static void hk_queued_again(struct cc_worker *worker, uint64_t count)
{
    struct hk_worker *mine = (struct hk_worker *)worker;
    worker->moved += count;
    worker->queue.pruned += count;
    mine->looked += count;
    mine->looked_to_cut += count;
}

/* Returns the position in the queue of the first item that has not ended before the horizon. */
static uint64_t hk_ended_until(const struct cc_queue *queue, uint64_t horizon)
{
    uint64_t at = queue->head;
    while (at != queue->tail && queue->ring[at & queue->mask].end < horizon) /* C10 */
        at++;
    return at;
}

/* C10. Frees the candidates that are not named. Queues the other items again. */
static void hk_free_unnamed(struct cc_worker *worker, uint64_t until)
{
    const struct hk_candidates *candidates = &((struct hk_worker *)worker)->candidates;
    struct cc_queue *queue = &worker->queue;
    uint64_t tail = queue->tail;
    while (queue->head != until) {
        struct cc_retired retired = queue->ring[queue->head++ & queue->mask];
        if (!hk_is_unnamed(candidates, retired.item) || !hk_free_item(worker, &retired))
            cc_queue_add(queue, retired);
    }
    hk_queued_again(worker, queue->tail - tail);
}

/* Reclaims versions after a transaction, if many items wait. The times of transactions that name versions do not
 * count. */
static void hk_reclaim_unnamed(struct cc_worker *worker)
{
    struct hk_worker *mine = (struct hk_worker *)worker;
    struct cc_queue *queue = &worker->queue;
    uint64_t least = hk_looks_cheaply(worker) ? HK_UNNAMED_FROM / HK_CHEAP_SHARE : HK_UNNAMED_FROM;
    if (__builtin_expect(queue->tail - queue->head <= least, true))
        return;
    if (!hk_look_pays(worker, hk_batch(worker), mine->looked, mine->kept))
        return;
    if (cc_is_disrupted(worker->base.db))
        return;
    struct cc_view view = cc_look_around(worker->base.db);
    uint64_t end = queue->ring[queue->head & queue->mask].end, until = hk_ended_until(queue, view.unnamed);
    worker->horizon = view.horizon;
    if (end >= view.horizon && hk_gather(worker, until, false) && hk_mark_names(worker))
        hk_free_unnamed(worker, until);
    hk_candidates_end(worker->base.db, &mine->candidates);
    mine->kept = queue->tail - queue->head;
    mine->looked = hk_progress(worker);
    mine->looked_bytes = worker->retired_bytes;
}

#endif
