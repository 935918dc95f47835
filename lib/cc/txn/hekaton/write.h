/* Claims and new versions. The argument is in types.h. */
#ifndef ORDO_CC_TXN_HEKATON_WRITE_H
#define ORDO_CC_TXN_HEKATON_WRITE_H

#include "cc/txn/hekaton/read.h"

static struct hk_version *hk_version_new(struct cc_worker *worker, struct ordo_table *table)
{
    struct hk_version *version = cc_item_take(worker, table);
    if (version) {
        version->id = worker->id;
        version->tomb = 0;
        version->older = NULL;
        __atomic_store_n(&version->begin, HK_TAG | worker->id, __ATOMIC_RELAXED);
    }
    return version;
}

/* Makes room for a write, and in the queue for the items that a commit or an abort will retire. */
static int hk_reserve(struct cc_worker *worker)
{
    struct hk_txn *txn = hk_txn(worker);
    if (cc_grow(worker->base.db, &txn->writes, txn->write_count, &txn->write_capacity, sizeof *txn->writes) ||
        cc_queue_reserve(worker->base.db, &worker->queue, 2 * txn->write_count + 4))
        return cc_out_of_memory(worker);
    return ORDO_OK;
}

/* Claims an anchor.
 * 0: claimed
 * ORDO_TXN_ABSENT: the anchor has left the index; search again
 * ORDO_TXN_CONFLICT: another transaction has kept the claim for too long. That transaction may be waiting for a claim
 * of this one, or may be descheduled, so this wait is bounded. After the abort, when this transaction holds nothing any
 * more, hk_stand_aside waits on. */
static int hk_claim(struct cc_worker *worker, struct hk_anchor *anchor)
{
    unsigned turns = 0;
    for (;;) {
        uint64_t holder = 0;
        /* Pairs with hk_unclaim: the chain and its times are as the last holder left them. */
        if (__atomic_compare_exchange_n(&anchor->writer, &holder, worker->id, false, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED))
            return ORDO_OK;
        if (holder == HK_DEAD && !hk_holds(worker)) {
            (void)sched_yield(); /* the thread that takes the anchor out of the index may not have finished */
            return ORDO_TXN_ABSENT;
        }
        if (!cc_hold_turn(worker, &turns))
            return hk_give_up_for(worker, holder, &worker->base.counts.aborts_write);
    }
}

/* Finds the newest version of an anchor that the transaction has claimed. The transaction must be able to read this
 * version (first committer wins); otherwise it extends or is doomed. */
static int hk_current(struct cc_worker *worker, struct hk_anchor *anchor, struct hk_version **version)
{
    /* This worker has the claim and has not pushed a version yet, so the head is a finished version of another
     * transaction. */
    *version = hk_head(anchor);
    if (!*version)
        return ORDO_OK;
    uint64_t begin = hk_claimed_begin(anchor, *version);
    if (ordo_stamp_after(&worker->base.db->stamp, hk_time(hk_txn(worker)->begin), hk_time(begin)))
        return ORDO_OK;
    return hk_extend(worker, begin);
}

/* Puts a new version above `old` on the chain of an anchor that the transaction has claimed. */
static void hk_push(struct cc_worker *worker, struct ordo_table *table, struct hk_anchor *anchor,
                    struct hk_version *fresh, struct hk_version *old)
{
    uint64_t old_begin = old ? hk_claimed_begin(anchor, old) : 0;
    /* Only the holder of the claim changes the chain. */
    ORDO_INVARIANT("hekaton", "claim", hk_is_mine(worker, anchor) && anchor->head == old,
                   "a version is put on the head of a chain that is claimed", anchor, anchor->writer, worker->id);
    /* The writer of `old` stored its time before it dropped its claim. */
    ORDO_INVARIANT("hekaton", "C3", !(old_begin & HK_TAG), "the version below has its time", anchor, old_begin,
                   worker->id);
    fresh->older = old;
    fresh->anchor = anchor;
    /* Pairs with hk_head: the version is complete except for its record, which no reader accesses before the
     * commit. */
    __atomic_store_n(&anchor->head, fresh, __ATOMIC_RELEASE);
    hk_txn(worker)->writes[hk_txn(worker)->write_count++] = (struct hk_write){anchor, fresh, old, old_begin, table};
}

/* Adds a new version of the record: a copy of the newest version, or a tomb if `record` is NULL. */
static int hk_replace(struct cc_worker *worker, struct ordo_table *table, uint64_t key, void **record)
{
    struct hk_version *old, *fresh;
    struct hk_anchor *anchor;
    int answer;
    do {
        anchor = hk_find(table, key);
        if (!anchor)
            return hk_add_miss(worker, table, key, NULL);
        answer = hk_claim(worker, anchor);
    } while (answer == ORDO_TXN_ABSENT);
    if (answer)
        return answer;
    answer = hk_current(worker, anchor, &old);
    if (!answer && (!old || hk_claimed_tomb(anchor, old)))
        answer = hk_add_miss(worker, table, key, old);
    if (!answer && !(fresh = hk_version_new(worker, table)))
        answer = cc_out_of_memory(worker);
    if (answer) {
        hk_unclaim(anchor);
        return answer;
    }
    history_note(worker->base.history, HISTORY_READ, table->number, key, old->id);
    if (record)
        *record = memcpy(cc_record(table, fresh), hk_claimed_record(table, anchor, old), table->record_bytes);
    else
        fresh->tomb = 1;
    hk_push(worker, table, anchor, fresh, old);
    return ORDO_OK;
}

static int hk_may_write(struct cc_worker *worker, const struct ordo_table *table, uint64_t key)
{
    if (worker->doomed)
        return cc_refuse(worker);
    if (worker->level == ORDO_TXN_READ_ONLY || key > table->last_key)
        return cc_forbid(worker);
    return hk_reserve(worker);
}

static int hk_update(struct ordo_worker *base, struct ordo_table *table, uint64_t key, void **record)
{
    struct cc_worker *worker = (struct cc_worker *)base;
    int answer = hk_may_write(worker, table, key);
    if (answer)
        return answer;
    struct hk_anchor *anchor = hk_find(table, key);
    if (!anchor || !hk_is_mine(worker, anchor))
        return hk_replace(worker, table, key, record);
    if (hk_head(anchor)->tomb)
        return ORDO_TXN_ABSENT;
    *record = cc_record(table, hk_head(anchor));
    return ORDO_OK;
}

static int hk_remove(struct ordo_worker *base, struct ordo_table *table, uint64_t key)
{
    struct cc_worker *worker = (struct cc_worker *)base;
    int answer = hk_may_write(worker, table, key);
    if (answer)
        return answer;
    struct hk_anchor *anchor = hk_find(table, key);
    if (!anchor || !hk_is_mine(worker, anchor))
        return hk_replace(worker, table, key, NULL);
    if (hk_head(anchor)->tomb)
        return ORDO_TXN_ABSENT;
    hk_head(anchor)->tomb = 1;
    return ORDO_OK;
}

/* Adds a new anchor to the indices, with `fresh` as its only version. ORDO_TXN_ABSENT: the key has an anchor by now, so
 * search again. */
static int hk_insert_anchor(struct cc_worker *worker, struct ordo_table *table, uint64_t key, struct hk_version *fresh)
{
    struct hk_anchor *anchor = hk_anchor_at_home(worker, table, key, fresh);
    if (!anchor) {
        anchor = hk_anchor_new(worker, table, key, fresh);
        if (!anchor)
            return cc_out_of_memory(worker);
        if (cc_hash_add(&table->hash, &anchor->node) != &anchor->node) {
            hk_anchor_free(table, anchor);
            return ORDO_TXN_ABSENT;
        }
    }
    if (table->list.first)
        cc_list_add(&table->list, &anchor->tower);
    hk_txn(worker)->writes[hk_txn(worker)->write_count++] = (struct hk_write){anchor, fresh, NULL, 0, table};
    return ORDO_OK;
}

/* Inserts a version above a deletion, or into an anchor without versions. ORDO_TXN_ABSENT: the anchor has left the
 * index. */
static int hk_insert_above(struct cc_worker *worker, struct ordo_table *table, struct hk_anchor *anchor,
                           struct hk_version *fresh)
{
    struct hk_version *old;
    int answer = hk_claim(worker, anchor);
    if (answer)
        return answer;
    answer = hk_current(worker, anchor, &old);
    if (!answer && old && !old->tomb) {
        answer = hk_add_read(worker, anchor, old);
        history_note(worker->base.history, HISTORY_READ, table->number, anchor->node.key, old->id);
        answer = answer ? answer : ORDO_TXN_EXISTS;
    }
    if (answer)
        hk_unclaim(anchor);
    else
        hk_push(worker, table, anchor, fresh, old);
    return answer;
}

static int hk_insert(struct ordo_worker *base, struct ordo_table *table, uint64_t key, void **record)
{
    struct cc_worker *worker = (struct cc_worker *)base;
    int answer = hk_may_write(worker, table, key);
    if (!answer && key == CC_NO_KEY)
        answer = cc_forbid(worker);
    if (answer)
        return answer;
    struct hk_anchor *anchor = hk_find(table, key);
    if (anchor && hk_is_mine(worker, anchor)) {
        struct hk_version *own = hk_head(anchor);
        if (!own->tomb)
            return ORDO_TXN_EXISTS;
        own->tomb = 0;
        *record = cc_record(table, own);
        return ORDO_OK;
    }
    struct hk_version *fresh = hk_version_new(worker, table);
    if (!fresh)
        return cc_out_of_memory(worker);
    for (answer = ORDO_TXN_ABSENT; answer == ORDO_TXN_ABSENT; anchor = hk_find(table, key))
        answer = anchor ? hk_insert_above(worker, table, anchor, fresh) : hk_insert_anchor(worker, table, key, fresh);
    if (answer)
        cc_item_put(worker, table, fresh); /* no other thread has seen it */
    else
        *record = cc_record(table, fresh);
    return answer;
}

#endif
