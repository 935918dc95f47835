/* Hekaton while the thread of a serialisable transaction is stopped or preempted. By time alone (core.h), everything
 * superseded after the begin of this transaction would wait for its end. But the transaction never searches for a
 * version by its time, and it holds few pointers. It names each version that it holds, and the reclaimer checks the
 * names. These are hazard pointers (M. Michael, IEEE Transactions on Parallel and Distributed Systems 2004). fence.h
 * says which thread issues the fence between a name and the load that checks it.
 *
 * The names of such a transaction T are the two versions in `at`, which it is accessing (hk_name, hk_name_below), and
 * the versions in `reads`, until T ends. T does not access the versions in `reads` again but compares their addresses,
 * so their memory must not become other versions; and a view points into one. A version that T replaces needs no name:
 * T has the claim of its record, and no other transaction retires it. Anchors, and the deletions that go with them,
 * wait for T by time.
 *
 * When a version X may be reused. The worker that retired X took it out of its chain earlier (hk_publish, hk_roll_back,
 * hk_cut): X was the head and was removed, or was below a version that has had its time since. The worker scans the
 * announcements (cc_look_around), passes the fence (hk_order_names), and loads the `at` of each other worker and then
 * its `reads` (hk_mark_names_of). X is free if no name is X, and if X ended before min(oldest transaction that names
 * nothing, now) - 2B. For a transaction T there are four cases:
 *
 *  - T named X before the fence. The load of `at` finds X, or a name that T stored later, with release. In the latter
 *    case X was among the reads of T by then, or T needed it no more. The load of `reads` comes afterwards and finds X
 *    there. `reads` shrinks only at the end of T; if the array grew, the new array was complete before it was
 *    published.
 *  - T named X after the fence. Then the check of T comes after the fence too, and sees all stores that the worker made
 *    before it. T cannot find X at the head: a version is put on the head once, and the head moves from a version to the
 *    one below only when the upper one is rolled back. X was rolled back itself, or the version above it has its time
 *    and is not rolled back any more. T cannot find X below a head h that has no time and is still the head afterwards:
 *    versions below h are not retired until h has its time. For this reason T checks that h is still the head and has
 *    no time (hk_name_below). If T finds nothing below h, it does the same: as long as h has no time, nothing has been
 *    taken out below it.
 *  - T began after the scans of the announcements, here and in fence.h: it does not find X (core.h, the second case of
 *    C10).
 *  - T names nothing, or begins to read by time later: it reaches no version that ended so long ago (core.h, C10).
 *
 * A scan of the names costs the cache lines of all names, a pass over the waiting items, and sometimes a fence in all
 * threads. It looks up each name among the versions that might be freed. These are few, so a transaction that has read
 * millions of versions costs the other workers no memory. One scan serves many versions: the more names the last scan
 * met, and the more items had to wait on then, the more versions the next one waits for. It waits for fewer if it needs
 * no fence for all threads, so that their memory is reused while it is still in a cache. */
#ifndef ORDO_CC_TXN_HEKATON_HAZARDS_H
#define ORDO_CC_TXN_HEKATON_HAZARDS_H

#include "cc/txn/hekaton/retire.h"

#if !defined HK_UNNAMED_FROM
#define HK_UNNAMED_FROM 256 /* waiting items of a worker, and progress since its last scan: the least for a scan */
#endif
#define HK_UNNAMED_MOST (4 * HK_UNNAMED_FROM) /* least progress if retired items are small: a fence is expensive */
#define HK_UNNAMED_BYTES (1 << 19)            /* if more bytes were retired, HK_UNNAMED_FROM is enough */
#define HK_CHEAP_SHARE 8                      /* divides these three if no fence for all threads is needed; */
#define HK_CHEAP_PLACES 16                    /* the quotient is added once more for each 16 places */
#define HK_NAMES_SHARE 32                     /* one item more for each 32 names at the last scan */
#define HK_KEPT_SHARE 8                       /* one item more for each 8 that had to wait on at the last scan, */
#define HK_KEPT_MOST (4 * CC_BACKLOG)         /* of which at most this many count */
#define HK_CANDIDATES 2048                    /* slots that a worker keeps */
#define HK_NAMED UINT64_C(1)                  /* a mark on an address: the version is named */

/* ---- the candidates for freeing ---- */

/* Returns the slot of a version among the candidates, NULL if it is none. */
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

/* Adds a version; the caller has made room. */
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

/* Makes candidates of the queued items up to `until`: of all versions, or of cut ones only. False: out of memory. */
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
    const void *below = __atomic_load_n(&txn->at[1], __ATOMIC_ACQUIRE); /* likewise */
    /* Pairs with hk_add_read, and with hk_finish: the accesses are over. */
    size_t count = __atomic_load_n(&txn->read_count, __ATOMIC_ACQUIRE);
    /* Pairs with hk_grow_reads: loaded after the count, so the array has as many elements. */
    const struct hk_read *reads = __atomic_load_n(&txn->reads, __ATOMIC_ACQUIRE);
    hk_mark_named(candidates, head);
    hk_mark_named(candidates, below);
    for (size_t i = 0; i < count; i++)
        /* Relaxed: the count's load orders it; if its transaction has ended since, any name will do. */
        hk_mark_named(candidates, __atomic_load_n(&reads[i].version, __ATOMIC_RELAXED));
    return count;
}

/* Marks the candidates that others name. False: some may be missing, because there was no fence. */
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

/* Returns how far a worker is: the items that came to its queue, and a fourth of its transactions, so that waiting
 * items are scanned again even if no new ones come. */
static inline uint64_t hk_progress(const struct cc_worker *worker)
{
    return worker->queue.tail + (worker->id >> 18);
}

/* True if a scan will probably need no fence for all threads. */
static inline bool hk_looks_cheaply(const struct cc_worker *worker)
{
    return hk_is_symmetric(worker->base.db) && ((const struct hk_worker *)worker)->unfenced == CC_IDLE;
}

/* Returns the progress that is worth a scan made in order to free: more if the items since the last scan are small in
 * sum; less if a scan is cheap. */
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

/* True if the progress since the last scan pays for another one: `batch`, and more the more names and waiting items
 * (`kept`) it goes over. */
static inline bool hk_look_pays(const struct cc_worker *worker, uint64_t batch, uint64_t since, uint64_t kept)
{
    uint64_t names = ((const struct hk_worker *)worker)->names;
    uint64_t more = names / HK_NAMES_SHARE + (kept < HK_KEPT_MOST ? kept : HK_KEPT_MOST) / HK_KEPT_SHARE;
    return hk_progress(worker) - since >= batch + more;
}

/* Counts items that were queued again as old. */
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

/* C10. Frees the candidates that are not named; the other items wait on. */
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

/* Reclaims after a transaction, if many items wait: without regard to the times of transactions that name versions. */
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
