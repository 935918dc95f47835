/* How transactions begin and end. The argument is in types.h. */
#ifndef ORDO_CC_TXN_HEKATON_END_H
#define ORDO_CC_TXN_HEKATON_END_H

#include "cc/history/note.h"
#include "cc/txn/hekaton/prune.h"
#include "cc/txn/hekaton/snapshots.h"
#include "cc/txn/hekaton/validate.h"

static void hk_reclaim(struct cc_worker *worker)
{
    if (worker->queue.head != worker->queue.tail)
        cc_reclaim(worker, false, hk_free_item);
}

/* Waits until the clock shows a time certainly after `t`. ORDO_E_DISRUPTED: the wait was in vain. */
static int hk_pass(struct cc_worker *worker, ordo_time t)
{
    struct ordo_stamp *stamp = &worker->base.db->stamp;
    ordo_time now = ordo_stamp_now(stamp), later;
    if (ordo_stamp_after(stamp, now, t))
        return ORDO_OK;
    int code = ordo_stamp_later(stamp, t, &later);
    if (!code)
        worker->base.counts.commit_wait_ticks += later.ticks - now.ticks;
    return code;
}

/* Announces the end of the transaction, takes the end time, and waits until all clocks have passed it if snapshots may
 * begin. ORDO_E_DISRUPTED: the wait was in vain. */
static int hk_end_time(struct cc_worker *worker, ordo_time *end)
{
    struct ordo_db *db = worker->base.db;
    hk_set_state(worker, HK_PREPARING); /* C4 */
    *end = ordo_stamp_take(&db->stamp); /* argument 4: larger than the times of the overwritten versions */
    worker->base.counts.stamps++;
    bool waits = worker->level == ORDO_TXN_SERIALIZABLE && hk_waits(db) && hk_has_snapshots(db);
    hk_reclaim(worker); /* must be done anyway, and shortens the wait below */
    /* Argument 3: a version that is validated after this wait can be overwritten only at a time after `end`. */
    return waits ? hk_pass(worker, *end) : ORDO_OK; /* C5 */
}

static void hk_finish(struct cc_worker *worker, bool committed)
{
    struct hk_txn *txn = hk_txn(worker);
    cc_exit(worker);
    history_end(worker->base.history, committed);
    /* Pairs with hk_mark_names_of: the transaction does not hold its reads any more. */
    __atomic_store_n(&txn->read_count, 0, __ATOMIC_RELEASE);
    txn->miss_count = txn->write_count = txn->scan_count = 0;
    worker->opened = false;
    worker->doomed = true;
    cc_queue_shrink(worker, false);
    hk_reclaim_unnamed(worker);
    cc_give_way(worker);
    if ((worker->id >> 16) % HK_PRUNE_EVERY == 0 && worker->queue.tail - worker->queue.head > HK_PRUNE_FROM)
        hk_prune(worker);
    if ((worker->id >> 16) % HK_ERA == 0)
        hk_end_era(worker->base.db);
}

static void hk_note_writes(struct cc_worker *worker)
{
    for (size_t i = 0; worker->base.history && i < hk_txn(worker)->write_count; i++) {
        const struct hk_write *write = &hk_txn(worker)->writes[i];
        history_note(worker->base.history, write->fresh->tomb ? HISTORY_REMOVE : HISTORY_WRITE, write->table->number,
                     write->anchor->node.key, write->old ? write->old->id : 0);
    }
}

/* Gives the new versions their time and retires the old ones. */
static void hk_publish(struct cc_worker *worker, uint64_t end)
{
    for (size_t i = 0; i < hk_txn(worker)->write_count; i++) {
        struct hk_write *write = &hk_txn(worker)->writes[i];
        bool buried = write->fresh->tomb && !worker->base.db->options.history;
        /* Only the holder of the claim changes the chain. */
        ORDO_INVARIANT("hekaton", "claim", hk_is_mine(worker, write->anchor) && write->anchor->head == write->fresh,
                       "a version is committed by the holder of the claim", write->anchor, write->anchor->writer,
                       worker->id);
        /* Only its writer gives a version its time. */
        ORDO_INVARIANT("hekaton", "C3", write->fresh->begin == (HK_TAG | worker->id), "a version gets its time once",
                       write->fresh, write->fresh->begin, worker->id);
        /* Both values belong to this transaction. */
        ORDO_INVARIANT("hekaton", "C7", end > write->old_begin, "the times of a chain ascend", write->anchor, end,
                       write->old_begin);
        hk_inline(write->table, write->anchor, write->fresh, end, buried);
        /* Pairs with hk_begin_of: the record is complete. */
        __atomic_store_n(&write->fresh->begin, end, __ATOMIC_RELEASE);
        hk_unclaim(write->anchor);
        if (write->old) {
            ordo_fetch_to_write(write->old); /* cc_item_put will write to it, and it may not be in the cache */
            cc_retire_item(worker, (struct cc_retired){end, write->old_begin, write->old, write->table, HK_VERSION});
        }
        if (buried)
            cc_retire(worker, write->table, write->anchor, HK_TOMB, end);
    }
}

/* Removes the new versions from their chains. A reader that meets such a version finds its transaction ABORTED; the
 * memory of the version stays until C10 permits its reuse. */
static void hk_roll_back(struct cc_worker *worker)
{
    struct hk_txn *txn = hk_txn(worker);
    hk_set_state(worker, HK_ABORTED);
    for (size_t i = 0; i < txn->write_count; i++) {
        struct hk_write *write = &txn->writes[i];
        /* Only the holder of the claim changes the chain. */
        ORDO_INVARIANT("hekaton", "claim", hk_is_mine(worker, write->anchor) && write->anchor->head == write->fresh,
                       "a version is taken away by the holder of the claim", write->anchor, write->anchor->writer,
                       worker->id);
        /* Pairs with hk_head: `old` is the version that was the head before. */
        __atomic_store_n(&write->anchor->head, write->old, __ATOMIC_RELEASE);
        if (write->old || hk_stays(write->table)) {
            hk_unclaim(write->anchor);
            continue;
        }
        /* V3. Pairs with hk_claim: the anchor leaves the index for good. */
        __atomic_store_n(&write->anchor->writer, HK_DEAD, __ATOMIC_RELEASE);
        hk_anchor_unlink(write->table, write->anchor);
    }
    uint64_t now = txn->write_count ? cc_retire_time(worker).ticks : 0;
    for (size_t i = 0; i < txn->write_count; i++) {
        struct hk_write *write = &txn->writes[i];
        cc_retire_item(worker, (struct cc_retired){now, HK_TAG, write->fresh, write->table, HK_VERSION});
        if (!write->old && !hk_stays(write->table))
            cc_retire(worker, write->table, write->anchor, HK_ANCHOR, now);
    }
}

static void hk_abort(struct ordo_worker *base)
{
    struct cc_worker *worker = (struct cc_worker *)base;
    if (!worker->opened)
        return;
    base->counts.aborts_user += !worker->doomed;
    hk_note_writes(worker);
    hk_roll_back(worker);
    hk_reclaim(worker);
    hk_finish(worker, false);
    hk_stand_aside(worker);
}

/* C1: dooms a transaction whose wait for the clock was in vain. No transaction waits once it is COMMITTED, so this one
 * is still PREPARING. It has shown none of its writes, and every transaction that met it has waited or aborted. So it
 * ends like a transaction whose validation failed. */
static bool hk_give_up(struct cc_worker *worker)
{
    (void)cc_disrupt(worker);
    return false;
}

/* Commits the writes of the transaction. True if this succeeded. */
static bool hk_commit_writes(struct cc_worker *worker)
{
    struct hk_txn *txn = hk_txn(worker);
    struct ordo_db *db = worker->base.db;
    ordo_time end;
    if (hk_end_time(worker, &end))
        return hk_give_up(worker);
    /* The end was read after the begin. */
    ORDO_INVARIANT("hekaton", "C1", !ordo_stamp_after(&db->stamp, hk_time(txn->begin), end),
                   "an end is not certainly before its begin", worker, end.ticks, txn->begin);
    if (worker->level == ORDO_TXN_SERIALIZABLE && !hk_validate(worker))
        return cc_doom(worker, &worker->base.counts.aborts_validation, false);
    if (db->options.external_consistency && /* settles the end (stamp.h) */
        hk_pass(worker, ordo_time_add(end, ordo_stamp_boundary(&db->stamp))))
        return hk_give_up(worker);
    hk_note_writes(worker);
    txn->last_end = cc_max(hk_time(txn->last_end), end).ticks; /* C8 */
    hk_set_state(worker, HK_COMMITTED);
    hk_publish(worker, end.ticks);
    return true;
}

static int hk_commit(struct ordo_worker *base)
{
    struct cc_worker *worker = (struct cc_worker *)base;
    struct hk_txn *txn = hk_txn(worker);
    if (!worker->opened)
        return ORDO_E_INVALID;
    /* A transaction without writes is a snapshot, valid at its begin (arguments 1 and 3). */
    if (worker->doomed || (txn->write_count && !hk_commit_writes(worker))) {
        int answer = cc_refuse(worker);
        hk_abort(base);
        return answer;
    }
    if (!txn->write_count) {
        hk_set_state(worker, HK_COMMITTED); /* others that meet a claim of this transaction now wait for the claim */
        hk_reclaim(worker);
    }
    base->counts.commits++;
    hk_finish(worker, true);
    return ORDO_OK;
}

static int hk_begin(struct ordo_worker *base, enum ordo_txn_level level)
{
    struct cc_worker *worker = (struct cc_worker *)base;
    struct hk_txn *txn = hk_txn(worker);
    ordo_time begin;
    if (worker->opened || !(base->engine->levels & level) || (level & (level - 1)) || worker->id >= HK_ID_LIMIT)
        return ORDO_E_INVALID;
    if (cc_is_disrupted(base->db))
        return ORDO_E_DISRUPTED;
    /* Only the owner of the place leaves it. */
    ORDO_INVARIANT("hekaton", "use", worker->taken, "a worker that has left begins no transaction", worker,
                   worker->taken, worker->id);
    worker->id += UINT64_C(1) << 16;
    worker->doom = ORDO_OK;
    history_begin(base->history, worker->id);
    hk_set_state(worker, HK_ACTIVE);
    worker->level = level;
    worker->doomed = false;
    worker->opened = true;
    /* Advances a counter: the last commit would otherwise stay uncertain if no transaction commits after it. */
    if (level != ORDO_TXN_SERIALIZABLE)
        ordo_stamp_move_on(&base->db->stamp);
    begin = level == ORDO_TXN_SERIALIZABLE ? cc_enter_newest(worker, hk_choose_fence(worker)) : cc_enter(worker, 0);
    begin = cc_max(begin, hk_time(txn->last_begin)); /* C8 */
    if (level != ORDO_TXN_SERIALIZABLE && hk_begin_snapshot(worker, hk_time(txn->last_end), &begin)) {
        (void)cc_disrupt(worker);
        hk_abort(base);
        return ORDO_E_DISRUPTED;
    }
    txn->begin = txn->last_begin = begin.ticks;
    if (level == ORDO_TXN_READ_ONLY)
        /* Pairs with hk_prune: from here on, the transaction reads only versions that are valid at this time. */
        __atomic_store_n(&worker->active, CC_SNAPSHOT | txn->begin, __ATOMIC_RELEASE);
    return ORDO_OK;
}

#endif
