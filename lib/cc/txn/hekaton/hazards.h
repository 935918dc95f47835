/* Hekaton beside a serialisable transaction that does not go on: its thread was stopped, or has lost its CPU. By time, all
 * that is superseded after its begin would have to wait for its end (core.h). But it never looks for a version by its
 * time, and few pointers are in its hands: it names them, and who reclaims looks at the names. These are hazard pointers
 * (M. Michael, IEEE Transactions on Parallel and Distributed Systems 2004). Who puts the fence between a name and the second
 * look is said in fence.h.
 *
 * What such a transaction T holds of others: the two versions of `at`, which it is looking at (hk_name), and the versions in
 * `reads`, until its end. It does not look at the latter again, but compares them, so that they must not come back as other
 * versions; and a view points into one. What it replaces it has the claim of, and nobody else retires it. Anchors, and
 * deletions with them, wait for T as ever.
 *
 * When X may be reused. Its worker took X out of its chain (hk_publish, hk_roll_back, hk_cut) some time ago: off the head,
 * or from under a version that has its time since. It looks at the announcements (cc_look_around), passes the fence
 * (hk_order_names), looks at the `at` of each, and then at its `reads` (hk_mark_names_of). X is free if no name is X, and if
 * X ended before min(oldest transaction that names nothing, now) - 2B.
 *
 *  - T named X, then the fence came. The look at `at` finds X, or a name of T's that was stored later, with release: then X
 *    was among its reads by then, or of no use any more. The look at `reads` comes after, and finds it. `reads` shrinks at
 *    the end of T only; if it grew, the new array was complete before it was shown.
 *  - The fence came first. Then T's second look comes after the fence, and sees what X's worker did before it. On the head T
 *    does not find X, for a version comes there once, and leaves for one below only when it is taken away. Below a head h
 *    that has no time, and then is still on the head, T does not find X: what is below such an h is not retired before h has
 *    its time. So T looks again. That there is nothing below h is believed likewise only while h has no time: then nothing
 *    was taken from under it.
 *  - T began after the looks at the announcements, here and in fence.h: it does not find X (core.h, the second case of C10).
 *  - Whoever names nothing, or begins to read by time later, comes to no version of an end so long ago (core.h, C10).
 *
 * A look costs the lines of all names, a glance at all that waits, and at times a fence in all threads. It asks of each name
 * whether it is one of the versions that might be freed, which are few, so that a transaction which has read millions takes
 * no memory from the others. It is taken for many versions at once, and for the more the more was named, or had to wait on,
 * the last time; but for few where it needs no fence, so that they come back while they are in a cache still. */
#ifndef ORDO_CC_TXN_HEKATON_HAZARDS_H
#define ORDO_CC_TXN_HEKATON_HAZARDS_H

#include "cc/txn/hekaton/retire.h"

#if !defined HK_UNNAMED_FROM
#define HK_UNNAMED_FROM 256 /* waiting items of a worker, and its progress since its last look: least */
#endif
#define HK_UNNAMED_MOST (4 * HK_UNNAMED_FROM) /* and most: for a fence is dear, */
#define HK_UNNAMED_BYTES (1 << 19)            /* but where they fill that, fewer do, which are in a cache still; */
#define HK_CHEAP_SHARE 8                      /* all that by this, where nobody has to be fenced, */
#define HK_CHEAP_PLACES 16                    /* and once more for each so many places, whose lines a look takes, */
#define HK_NAMES_SHARE 32                     /* and a new one for so many names, */
#define HK_KEPT_SHARE 8                       /* and for so many that had to wait on, */
#define HK_KEPT_MOST (4 * CC_BACKLOG)         /* but of these no more */
#define HK_CANDIDATES 2048                    /* slots that a worker keeps */
#define HK_NAMED UINT64_C(1)                  /* beside an address */

/* ---- what might be freed ---- */

/* Where a version is among the candidates; NULL: it is none. */
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

/* Whether it is one, and nobody names it. */
static inline bool hk_is_unnamed(const struct hk_candidates *candidates, const void *version)
{
    const uintptr_t *slot = hk_candidate(candidates, version);
    return slot && !(*slot & HK_NAMED);
}

/* There is room. */
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

/* None, with room for so many. Whether there is memory. */
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

/* The look is over: what many took is given back. */
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

/* Of what waits, up to `until`: the versions, or those that were cut. Whether there is memory. */
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

/* ---- the look ---- */

static inline void hk_mark_named(const struct hk_candidates *candidates, const void *version)
{
    uintptr_t *slot = hk_candidate(candidates, version);
    if (slot)
        *slot |= HK_NAMED;
}

/* Marks what one worker names, and says how much that is. */
static size_t hk_mark_names_of(const struct hk_candidates *candidates, struct cc_worker *worker)
{
    struct hk_txn *txn = hk_txn(worker);
    /* Pairs with hk_show_name: what these replaced is among the reads that are counted below. */
    const void *head = __atomic_load_n(&txn->at[0], __ATOMIC_ACQUIRE);
    const void *below = __atomic_load_n(&txn->at[1], __ATOMIC_ACQUIRE); /* as above */
    /* Pairs with hk_add_read, and with hk_finish: the accesses are over. */
    size_t count = __atomic_load_n(&txn->read_count, __ATOMIC_ACQUIRE);
    /* Pairs with hk_grow_reads: after the count, so that the array has as many. */
    const struct hk_read *reads = __atomic_load_n(&txn->reads, __ATOMIC_ACQUIRE);
    hk_mark_named(candidates, head);
    hk_mark_named(candidates, below);
    for (size_t i = 0; i < count; i++)
        /* Relaxed: the count's load orders it; where it is of a transaction that has ended since, any name will do. */
        hk_mark_named(candidates, __atomic_load_n(&reads[i].version, __ATOMIC_RELAXED));
    return count;
}

/* Marks the candidates that others name. Whether all such are marked. */
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

/* The items that came to a worker's queue, and a fourth of its transactions: what waits is looked at again also when none
 * comes. */
static inline uint64_t hk_progress(const struct cc_worker *worker)
{
    return worker->queue.tail + (worker->id >> 18);
}

/* Whether a look is likely to take no fence for all. */
static inline bool hk_looks_cheaply(const struct cc_worker *worker)
{
    return hk_is_symmetric(worker->base.db) && ((const struct hk_worker *)worker)->unfenced == CC_IDLE;
}

/* How many items are worth a look in order to free them: more, where those since the last one fill little; fewer, where that
 * is cheap. */
static inline uint64_t hk_batch(const struct cc_worker *worker)
{
    uint64_t bytes = worker->retired_bytes - ((const struct hk_worker *)worker)->looked_bytes;
    if (!hk_looks_cheaply(worker))
        return bytes < HK_UNNAMED_BYTES ? HK_UNNAMED_MOST : HK_UNNAMED_FROM;
    unsigned used = __atomic_load_n(&worker->base.db->places_used, __ATOMIC_RELAXED); /* how often, and no more */
    uint64_t batch = (bytes < HK_UNNAMED_BYTES / HK_CHEAP_SHARE ? HK_UNNAMED_MOST : HK_UNNAMED_FROM) / HK_CHEAP_SHARE;
    batch *= 1 + used / HK_CHEAP_PLACES;
    return batch > HK_UNNAMED_MOST ? HK_UNNAMED_MOST : batch;
}

/* Whether a batch of so much, and more, has come since a look: another goes through all names, and so much that waits. */
static inline bool hk_look_pays(const struct cc_worker *worker, uint64_t batch, uint64_t since, uint64_t kept)
{
    uint64_t names = ((const struct hk_worker *)worker)->names;
    uint64_t more = names / HK_NAMES_SHARE + (kept < HK_KEPT_MOST ? kept : HK_KEPT_MOST) / HK_KEPT_SHARE;
    return hk_progress(worker) - since >= batch + more;
}

/* What was queued again is not new. */
static void hk_queued_again(struct cc_worker *worker, uint64_t count)
{
    struct hk_worker *mine = (struct hk_worker *)worker;
    worker->moved += count;
    worker->queue.pruned += count;
    mine->looked += count;
    mine->looked_to_cut += count;
}

/* How far in the queue the items ended before the horizon. */
static uint64_t hk_ended_until(const struct cc_queue *queue, uint64_t horizon)
{
    uint64_t at = queue->head;
    while (at != queue->tail && queue->ring[at & queue->mask].end < horizon) /* C10 */
        at++;
    return at;
}

/* C10. Frees what is a candidate and is not named; the rest waits on. */
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

/* After a transaction: reclaims beside those that do not go on, where much waits for them. */
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
