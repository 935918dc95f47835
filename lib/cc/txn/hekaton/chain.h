/* The chain of a record: its versions, the search for the version that a transaction sees, and the claim, which a
 * transaction needs to change the chain. The argument is in types.h. */
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

/* Returns the identity of the transaction that is writing a version, 0 if that transaction is over. */
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

/* Returns the status of the transaction with identity `id`. The status is COMMITTED if the transaction is over, because
 * its versions then have their times. */
static inline enum hk_status hk_status_of(struct ordo_db *db, uint64_t id)
{
    /* Pairs with cc_join: the worker is complete. A thread that found `id` in a claim may not have synchronised with
     * that worker. */
    struct cc_worker *owner = __atomic_load_n(&db->places[(id & UINT16_MAX) - 1], __ATOMIC_ACQUIRE);
    /* Pairs with hk_set_state. */
    uint64_t state = __atomic_load_n(&owner->state, __ATOMIC_ACQUIRE);
    return state >> HK_STATUS_BITS == id ? (enum hk_status)(state & 3) : HK_COMMITTED;
}

/* Stores the time of a version in `*begin`.
 * ORDO_OK: the version has a time
 * ORDO_TXN_ABSENT: the version is the worker's own, or its writer is active or has aborted; use the version below
 * HK_BUSY: the writer of the version is committing */
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

/* Dooms a transaction because transaction `id` is in its way, and notes `id` for hk_stand_aside. */
static int hk_give_up_for(struct cc_worker *worker, uint64_t id, uint64_t *cause)
{
    hk_txn(worker)->blocker = id;
    return cc_doom(worker, cause, ORDO_TXN_CONFLICT);
}

/* Yields this CPU to the transaction for which the worker's transaction gave way (`blocker`), because the blocker may
 * be descheduled. Returns when the blocker has ended, or after CC_YIELDS yields, because the blocker may take long.
 * Call when the worker's transaction holds nothing any more, before the caller tries again. */
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

/* Names the version at the head of a chain. True: the worker may access this version until it names the next one.
 * False: the head has changed. The argument is in hazards.h. */
static inline bool hk_name(struct cc_worker *worker, struct hk_anchor *anchor, struct hk_version *head)
{
    hk_show_name(worker, &hk_txn(worker)->at[0], head);
    return hk_head(anchor) == head;
}

/* Names the version `below` a named head that has no time; NULL: checks that the head has no version below it. False:
 * the chain may have changed, so search it again. */
static inline bool hk_name_below(struct cc_worker *worker, struct hk_anchor *anchor, struct hk_version *head,
                                 struct hk_version *below)
{
    hk_show_name(worker, &hk_txn(worker)->at[1], below);
    return (hk_begin_of(head) & HK_TAG) && hk_head(anchor) == head;
}

/* Finds and names the newest version of other transactions.
 * ORDO_OK: `*result` is this version, or NULL if there is none
 * HK_BUSY: `*result` is being committed */
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
        /* The head has not committed, so the version below it has its time, because only one transaction has the claim.
         * But the head may commit now, and the version below may be removed; the record would then seem never to have
         * existed. hk_name_below finds this out. */
        *result = hk_older(head);
        if (hk_name_below(worker, anchor, head, *result))
            return ORDO_OK;
    }
}

/* Finds the version that was valid at the begin of the worker's transaction; NULL if there is none.
 * HK_BUSY: `*result` is being committed, and may be that version
 * ORDO_TXN_CONFLICT: it is uncertain which version was valid (only with ORDO_UNCERTAIN_ABORT) */
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

/* ---- the claim ---- */

static bool hk_try_claim(struct cc_worker *worker, struct hk_anchor *anchor)
{
    uint64_t holder = 0;
    /* Pairs with hk_unclaim: the chain and the deletions are as the last holder left them. */
    return __atomic_compare_exchange_n(&anchor->writer, &holder, worker->id, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static void hk_unclaim(struct hk_anchor *anchor)
{
    /* No other transaction changes the claim while it is held. */
    ORDO_INVARIANT("hekaton", "claim", anchor->writer != 0 && anchor->writer != HK_DEAD,
                   "a claim is dropped by its holder", anchor, anchor->writer, anchor->inlined);
    /* Pairs with hk_claim: the next holder sees the chain and its times as they are now. */
    __atomic_store_n(&anchor->writer, 0, __ATOMIC_RELEASE);
}

#endif
