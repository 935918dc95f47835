/* Hekaton beside a serialisable transaction that does not go on: its thread was stopped, or has lost its CPU. By time, all
 * that is superseded after its begin would have to wait for its end (core.h). But it never looks for a version by its
 * time, and few pointers are in its hands: it names them, and who reclaims looks at the names. These are hazard pointers
 * (M. Michael, IEEE Transactions on Parallel and Distributed Systems 2004), with the fence between a name and the second
 * look on the side of who reclaims: membarrier(2).
 *
 * What such a transaction T holds of others: the two versions of `at`, which it is looking at (hk_name), and the versions in
 * `reads`, until its end. It does not look at the latter again, but compares them, so that they must not come back as other
 * versions; and a view points into one. What it replaces it has the claim of, and nobody else retires it. Anchors, and
 * deletions with them, wait for T as ever.
 *
 * When X may be reused. Its worker took X out of its chain (hk_publish, hk_roll_back, hk_cut) some time ago: off the head,
 * or from under a version that has its time since. It looks at the announcements (cc_look_around), has a fence put into every
 * running thread (hk_fence_all; one that does not run passes one before it runs again), looks at the `at` of each, and then
 * at its `reads` (hk_look_for_names). X is free if no name is X, and if X ended before min(oldest transaction that names
 * nothing, now) - 2B.
 *
 *  - T named X, then the fence came. The look at `at` finds X, or a name of T's that was stored later, with release: then X
 *    was among its reads by then, or of no use any more. The look at `reads` comes after, and finds it. `reads` shrinks at
 *    the end of T only; if it grew, the new array was complete before it was shown.
 *  - The fence came first. Then T's second look comes after the fence, and sees what X's worker did before it. On the head T
 *    does not find X, for a version comes there once, and leaves for one below only when it is taken away. Below a head h
 *    that has no time, and then is still on the head, T does not find X: what is below such an h is not retired before h has
 *    its time. So T looks again. That there is nothing below h is believed likewise only while h has no time: then nothing
 *    was taken from under it.
 *  - T began after the look at the announcements: it does not find X (core.h, the second case of C10).
 *  - Whoever names nothing, or begins to read by time later, comes to no version of an end so long ago (core.h, C10).
 *
 * A look costs a fence in all threads, the lines of all names, and a glance at all that waits. So it is taken for many items at
 * once, and for the more the more was named, or had to wait on, the last time. Where the kernel has no such fence,
 * nobody is said to name what it holds (hk_open), and memory waits for the oldest transaction. */
#ifndef ORDO_CC_TXN_HEKATON_HAZARDS_H
#define ORDO_CC_TXN_HEKATON_HAZARDS_H

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cc/txn/hekaton/retire.h"

#if !defined HK_UNNAMED_FROM
#define HK_UNNAMED_FROM 256 /* waiting items of a worker, and its progress since its last look */
#endif
#define HK_UNNAMED_SHARE 8               /* and a new one for so many that were named or had to wait on, */
#define HK_UNNAMED_MOST (CC_BACKLOG / 2) /* but no more */

/* Whether the process has a fence for all of its threads. */
static bool hk_fences_all(void)
{
    return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

static bool hk_fence_all(void)
{
    return syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0;
}

/* ---- the set ---- */

static inline size_t hk_name_slot(const struct hk_names *names, const void *name)
{
    return ((uintptr_t)name >> 6) * UINT64_C(0x9e3779b97f4a7c15) >> 32 & (names->capacity - 1);
}

static inline bool hk_is_named(const struct hk_names *names, const void *version)
{
    if (names->count == 0)
        return false;
    size_t at = hk_name_slot(names, version);
    while (names->slots[at] && names->slots[at] != version)
        at = (at + 1) & (names->capacity - 1);
    return names->slots[at] != NULL;
}

/* There is room. */
static void hk_names_put(struct hk_names *names, const void *name)
{
    size_t at = hk_name_slot(names, name);
    while (names->slots[at] && names->slots[at] != name)
        at = (at + 1) & (names->capacity - 1);
    names->count += !names->slots[at];
    names->slots[at] = name;
}

static void hk_names_free(struct ordo_db *db, struct hk_names *names)
{
    cc_release(db, names->slots, names->capacity * sizeof *names->slots);
}

/* Empty, or as it was, with room for so many. Whether there is memory. */
static bool hk_names_make_room(struct ordo_db *db, struct hk_names *names, size_t count)
{
    struct hk_names wider = {.capacity = names->capacity ? names->capacity : 256};
    while (wider.capacity < 2 * count)
        wider.capacity *= 2;
    if (wider.capacity == names->capacity)
        return true;
    wider.slots = cc_allocate(db, 64, wider.capacity * sizeof *wider.slots);
    if (!wider.slots)
        return false;
    memset(wider.slots, 0, wider.capacity * sizeof *wider.slots);
    for (size_t i = 0; i < names->capacity; i++)
        if (names->slots[i])
            hk_names_put(&wider, names->slots[i]);
    hk_names_free(db, names);
    *names = wider;
    return true;
}

/* Empties the set, and gives its memory back where it has far more than it held. */
static void hk_names_clear(struct ordo_db *db, struct hk_names *names)
{
    if (names->capacity > 32 * (names->count + 32)) {
        hk_names_free(db, names);
        *names = (struct hk_names){0};
    }
    if (names->capacity)
        memset(names->slots, 0, names->capacity * sizeof *names->slots);
    names->count = 0;
}

/* ---- the look ---- */

/* Adds what one worker names. */
static bool hk_names_of(struct ordo_db *db, struct hk_names *names, struct cc_worker *worker)
{
    struct hk_txn *txn = hk_txn(worker);
    /* Pairs with hk_name: what these replaced is among the reads that are counted below. */
    const void *head = __atomic_load_n(&txn->at[0], __ATOMIC_ACQUIRE);
    const void *below = __atomic_load_n(&txn->at[1], __ATOMIC_ACQUIRE); /* as above */
    /* Pairs with hk_add_read, and with hk_finish: the accesses are over. */
    size_t count = __atomic_load_n(&txn->read_count, __ATOMIC_ACQUIRE);
    /* Pairs with hk_grow_reads: after the count, so that the array has as many. */
    const struct hk_read *reads = __atomic_load_n(&txn->reads, __ATOMIC_ACQUIRE);
    if (!hk_names_make_room(db, names, names->count + count + 2))
        return false;
    if (head)
        hk_names_put(names, head);
    if (below)
        hk_names_put(names, below);
    for (size_t i = 0; i < count; i++)
        /* Relaxed: the count's load orders it; where it is of a transaction that has ended since, any name will do. */
        hk_names_put(names, __atomic_load_n(&reads[i].version, __ATOMIC_RELAXED));
    return true;
}

/* What the others name, after a look at the announcements. Whether that is known. */
static bool hk_look_for_names(struct cc_worker *worker)
{
    struct ordo_db *db = worker->base.db;
    struct hk_names *names = &((struct hk_worker *)worker)->names;
    hk_names_clear(db, names);
    if (!db->marks || !hk_fence_all() || !hk_names_make_room(db, names, 1))
        return false;
    unsigned used = __atomic_load_n(&db->places_used, __ATOMIC_SEQ_CST); /* pairs with cc_join, as in cc_look_around */
    for (unsigned i = 0; i < used; i++) {
        struct cc_worker *other = cc_worker_of(db, i);
        if (other && i != worker->base.index && !hk_names_of(db, names, other))
            return false;
    }
    return true;
}

/* The items that came to a worker's queue, and a fourth of its transactions: what waits is looked at again also when none
 * comes. */
static inline uint64_t hk_progress(const struct cc_worker *worker)
{
    return worker->queue.tail + (worker->id >> 18);
}

/* Whether so much has happened since a look that another pays, where it goes through so much. */
static inline bool hk_look_pays(const struct cc_worker *worker, uint64_t since, uint64_t much)
{
    uint64_t more = much / HK_UNNAMED_SHARE;
    return hk_progress(worker) - since >= HK_UNNAMED_FROM + (more < HK_UNNAMED_MOST ? more : HK_UNNAMED_MOST);
}

/* What was queued again is not new. */
static void hk_queued_again(struct cc_worker *worker, uint64_t count)
{
    struct hk_worker *mine = (struct hk_worker *)worker;
    worker->moved += count;
    mine->named += count;
    mine->named_to_cut += count;
}

/* Frees those versions in the queue that nobody names and that are needed by time no more; the rest waits on. */
static void hk_free_unnamed(struct cc_worker *worker, uint64_t horizon)
{
    const struct hk_names *names = &((struct hk_worker *)worker)->names;
    struct cc_queue *queue = &worker->queue;
    uint64_t tail = queue->tail;
    while (queue->head != tail) {
        struct cc_retired retired = queue->ring[queue->head & queue->mask];
        if (retired.end >= horizon) /* C10 */
            break;
        queue->head++;
        bool is_version = retired.kind == HK_VERSION || retired.kind == HK_CUT;
        if (!is_version || hk_is_named(names, retired.item) || !hk_free_item(worker, &retired))
            cc_queue_add(queue, retired);
    }
    hk_queued_again(worker, queue->tail - tail);
}

/* After a transaction: reclaims beside those that do not go on, where much waits for them. */
static void hk_reclaim_unnamed(struct cc_worker *worker)
{
    struct hk_worker *mine = (struct hk_worker *)worker;
    struct cc_queue *queue = &worker->queue;
    if (__builtin_expect(queue->tail - queue->head <= HK_UNNAMED_FROM, true))
        return;
    if (!hk_look_pays(worker, mine->named, mine->names.count + mine->kept) || cc_is_disrupted(worker->base.db))
        return;
    struct cc_view view = cc_look_around(worker->base.db);
    uint64_t end = queue->ring[queue->head & queue->mask].end;
    worker->horizon = view.horizon;
    if (end >= view.horizon && end < view.unnamed && hk_look_for_names(worker))
        hk_free_unnamed(worker, view.unnamed);
    mine->kept = queue->tail - queue->head;
    mine->named = hk_progress(worker);
}

#endif
