/* The chain of a record: its versions, which of them a transaction sees, and the claim to change it. The argument is in
 * types.h. */
#ifndef ORDO_CC_TXN_HEKATON_CHAIN_H
#define ORDO_CC_TXN_HEKATON_CHAIN_H

#include "cc/txn/hekaton/fence.h"

static inline struct hk_version *hk_head(struct hk_anchor *anchor)
{
    /* Pairs with hk_push, hk_roll_back: the version is complete. */
    return __atomic_load_n(&anchor->head, __ATOMIC_ACQUIRE);
}

static inline struct hk_version *hk_older(struct hk_version *version)
{
    /* Pairs with hk_cut: the version below is complete. */
    return __atomic_load_n(&version->older, __ATOMIC_ACQUIRE);
}

static inline uint64_t hk_begin_of(struct hk_version *version)
{
    /* Pairs with hk_publish: a reader that sees the time sees the transaction COMMITTED. */
    return __atomic_load_n(&version->begin, __ATOMIC_ACQUIRE);
}

/* Returns the transaction that is writing a version, 0 if it is over by now. */
static inline uint64_t hk_writer_of(struct hk_version *version)
{
    uint64_t begin = hk_begin_of(version);
    return begin & HK_TAG ? begin & ~HK_TAG : 0;
}

static inline void hk_set_state(struct cc_worker *worker, enum hk_status status)
{
    /* Pairs with hk_status_of: a reader that sees the status sees the earlier stores of the transaction. */
    __atomic_store_n(&worker->state, worker->id << HK_STATUS_BITS | status, __ATOMIC_RELEASE);
}

/* Returns the status of the transaction with identity `id`, COMMITTED if it is over: its versions then have their
 * times. */
static inline enum hk_status hk_status_of(struct ordo_db *db, uint64_t id)
{
    /* Pairs with cc_join: the worker is complete. A thread that found `id` in a claim may not have synchronised with
     * it. */
    struct cc_worker *owner = __atomic_load_n(&db->places[(id & UINT16_MAX) - 1], __ATOMIC_ACQUIRE);
    /* Pairs with hk_set_state. */
    uint64_t state = __atomic_load_n(&owner->state, __ATOMIC_ACQUIRE);
    return state >> HK_STATUS_BITS == id ? (enum hk_status)(state & 3) : HK_COMMITTED;
}

/* Stores a version's time in `*begin`.
 * ORDO_OK: it has one
 * ORDO_TXN_ABSENT: it is the worker's own, or its writer did not commit; take the version below
 * HK_BUSY: its writer is committing */
static inline int hk_judge(struct cc_worker *worker, struct hk_version *version, uint64_t *begin)
{
    *begin = hk_begin_of(version);
    if (!(*begin & HK_TAG)) /* C3 */
        return ORDO_OK;
    if (*begin == (HK_TAG | worker->id))
        return ORDO_TXN_ABSENT;
    enum hk_status status = hk_status_of(worker->base.db, *begin & ~HK_TAG);
    if (status == HK_ACTIVE || status == HK_ABORTED)
        return ORDO_TXN_ABSENT;
    return HK_BUSY;
}

/* Dooms a transaction because another is in its way, and notes the other for hk_stand_aside. */
static int hk_give_up_for(struct cc_worker *worker, uint64_t id, uint64_t *cause)
{
    hk_txn(worker)->blocker = id;
    return cc_doom(worker, cause, ORDO_TXN_CONFLICT);
}

/* Yields after a transaction that gave way to another and holds nothing any more: the other one may have lost its CPU,
 * and gets this one before the caller tries again. Its status tells when it has ended; the number of turns is bounded,
 * because it may take long. */
static void hk_stand_aside(struct cc_worker *worker)
{
    uint64_t id = hk_txn(worker)->blocker;
    hk_txn(worker)->blocker = 0;
    if (id == 0 || id == HK_DEAD)
        return;
    for (unsigned turns = 0; turns < CC_YIELDS; turns++) {
        enum hk_status status = hk_status_of(worker->base.db, id);
        if (status == HK_COMMITTED || status == HK_ABORTED)
            return;
        (void)sched_yield();
    }
}

static inline bool hk_is_mine(struct cc_worker *worker, struct hk_anchor *anchor)
{
    return __atomic_load_n(&anchor->writer, __ATOMIC_RELAXED) == worker->id;
}

/* Names the version at a chain's head; the worker may access it until it names the next. False: the head has changed.
 * The argument is in hazards.h. */
static inline bool hk_name(struct cc_worker *worker, struct hk_anchor *anchor, struct hk_version *head)
{
    hk_show_name(worker, &hk_txn(worker)->at[0], head);
    return hk_head(anchor) == head;
}

/* Names the version below a named head that has no time, or believes that there is none. False: check the chain
 * again. */
static inline bool hk_name_below(struct cc_worker *worker, struct hk_anchor *anchor, struct hk_version *head,
                                 struct hk_version *below)
{
    hk_show_name(worker, &hk_txn(worker)->at[1], below);
    return (hk_begin_of(head) & HK_TAG) && hk_head(anchor) == head;
}

/* Finds the newest version of other transactions, and names it; NULL for none. HK_BUSY: it is being committed. */
static inline int hk_newest(struct cc_worker *worker, struct hk_anchor *anchor, struct hk_version **result)
{
    for (;;) {
        struct hk_version *head = *result = hk_head(anchor);
        uint64_t begin;
        if (!head)
            return ORDO_OK;
        if (!hk_name(worker, anchor, head))
            continue;
        int answer = hk_judge(worker, head, &begin);
        if (answer != ORDO_TXN_ABSENT)
            return answer;
        /* The head has not committed: the version below it is finished, because one transaction has the claim. The head
         * may have committed since, and the version below may have been removed, so that a record would seem never to
         * have been there. */
        *result = hk_older(head);
        if (hk_name_below(worker, anchor, head, *result))
            return ORDO_OK;
    }
}

/* Finds the version that was valid at the worker's begin, NULL for none.
 * HK_BUSY: that version is being committed
 * ORDO_TXN_CONFLICT: it is uncertain which version that is, and the database aborts then */
static inline int hk_visible(struct cc_worker *worker, struct hk_anchor *anchor, struct hk_version **result)
{
    struct ordo_db *db = worker->base.db;
    ordo_time now = hk_time(hk_txn(worker)->begin);
    struct hk_version *version = hk_head(anchor);
    for (; version; version = hk_older(version)) {
        uint64_t begin;
        int answer = hk_judge(worker, version, &begin);
        if (answer == HK_BUSY) {
            *result = version;
            return HK_BUSY;
        }
        if (answer == ORDO_TXN_ABSENT)
            continue;
        if (ordo_stamp_after(&db->stamp, now, hk_time(begin))) /* C6 */
            break;
        if (db->options.uncertain == ORDO_UNCERTAIN_ABORT && !ordo_stamp_after(&db->stamp, hk_time(begin), now))
            return ORDO_TXN_CONFLICT;
    }
    *result = version;
    return ORDO_OK;
}

/* ---- changing it ---- */

static bool hk_try_claim(struct cc_worker *worker, struct hk_anchor *anchor)
{
    uint64_t holder = 0;
    /* Pairs with hk_unclaim: the chain and the deletions are as the last holder left them. */
    return __atomic_compare_exchange_n(&anchor->writer, &holder, worker->id, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static void hk_unclaim(struct hk_anchor *anchor)
{
    /* No other transaction changes a claim that is held. */
    ORDO_INVARIANT("hekaton", "claim", anchor->writer != 0 && anchor->writer != HK_DEAD,
                   "a claim is dropped by its holder", anchor, anchor->writer, anchor->inlined);
    /* Pairs with hk_claim: the chain and its times are as they are now. */
    __atomic_store_n(&anchor->writer, 0, __ATOMIC_RELEASE);
}

#endif
