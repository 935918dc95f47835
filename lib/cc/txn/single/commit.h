/* How transactions begin and end. The argument is in types.h. */
#ifndef ORDO_CC_TXN_SINGLE_COMMIT_H
#define ORDO_CC_TXN_SINGLE_COMMIT_H

#include "cc/history/note.h"
#include "cc/txn/copy.h"
#include "cc/txn/single/record.h"
#include "cc/txn/single/scheme.h"

/* ---- leaving the index ---- */

/* Takes a record out of the index for good. The record is locked by this transaction, or is absent and this transaction
 * was its last holder (H3). `word`: the last word of the record. */
static void sv_bury(struct cc_worker *worker, struct ordo_table *table, struct sv_record *record, uint64_t word)
{
    /* No other transaction changes the word of a locked record, or of a record whose last holder was this
     * transaction. */
    ORDO_INVARIANT(worker->base.engine->name, "H3", !(record->word & SV_DEAD), "a record leaves the index once", record,
                   record->word, word);
    /* The lock of the bucket, which is taken next, makes the floor visible to the thread that creates the key's next
     * record. */
    cc_keep_larger(&table->floor, sv_valid_until(word));
    sv_unlock(record, (word & ~SV_LOCK) | SV_ABSENT | SV_DEAD);
    cc_hash_remove(&table->hash, &record->node);
    cc_retire(worker, table, record, 0, cc_retire_time(worker).ticks);
}

/* Lets go of the absent records among the reads, and takes the records that no other transaction holds out of the
 * index. A dead record has already left the index, or is about to leave it. */
static void sv_let_go_of_all(struct cc_worker *worker)
{
    for (size_t i = 0; i < sv_txn(worker)->read_count; i++) {
        const struct sv_read *read = &sv_txn(worker)->reads[i];
        if ((read->word & SV_ABSENT) && !(read->word & SV_DEAD) && sv_let_go(read->record))
            sv_bury(worker, read->table, read->record, sv_word(read->record));
    }
}

/* ---- the end ---- */

static void sv_finish(struct cc_worker *worker, bool committed)
{
    struct sv_txn *txn = sv_txn(worker);
    for (size_t i = 0; i < txn->write_count; i++)
        if (txn->writes[i].copy)
            cc_item_put(worker, txn->writes[i].table, txn->writes[i].copy);
    for (; txn->view_count > 0; txn->view_count--)
        cc_item_put(worker, txn->views[txn->view_count - 1].table, txn->views[txn->view_count - 1].copy);
    if (txn->absent_count)
        sv_let_go_of_all(worker);
    cc_exit(worker);
    history_end(worker->base.history, committed);
    txn->read_count = txn->write_count = txn->absent_count = 0;
    worker->opened = false;
    worker->doomed = true;
    if (worker->queue.head != worker->queue.tail)
        cc_reclaim(worker, false, sv_free_item);
    cc_queue_shrink(worker, false);
    cc_give_way(worker);
}

static void sv_sort_writes(struct sv_txn *txn)
{
    for (size_t i = 1; i < txn->write_count; i++) {
        struct sv_write write = txn->writes[i];
        size_t at = i;
        for (; at > 0 && (uintptr_t)txn->writes[at - 1].record > (uintptr_t)write.record; at--)
            txn->writes[at] = txn->writes[at - 1];
        txn->writes[at] = write;
    }
}

static void sv_unlock_all(struct cc_worker *worker, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct sv_record *record = sv_txn(worker)->writes[i].record;
        /* No other transaction unlocks this record. */
        ORDO_INVARIANT(worker->base.engine->name, "C4", record->word & SV_LOCK, "a record that is unlocked was locked",
                       record, record->word, i);
        sv_unlock(record, __atomic_load_n(&record->word, __ATOMIC_RELAXED) & ~SV_LOCK);
    }
}

/* Locks a record. False: the record is dead, or another transaction has had the lock for so long that its thread may be
 * descheduled. */
static bool sv_lock(struct cc_worker *worker, struct sv_record *record)
{
    uint64_t word = sv_word(record);
    unsigned turns = 0;
    while (!(word & SV_DEAD) && !sv_try_lock(record, &word)) {
        if (!cc_hold_turn(worker, &turns))
            return false;
        word = sv_word(record);
    }
    return !(word & SV_DEAD);
}

/* Waits for a record to be unlocked, while the transaction holds no lock. True: the record is unlocked now. False: the
 * record is dead, or has been locked for too long. */
static bool sv_stand_aside(struct sv_record *record)
{
    uint64_t word = sv_word(record);
    for (unsigned turns = 0; turns < CC_YIELDS && (word & SV_LOCK); turns++) {
        (void)sched_yield();
        word = sv_word(record);
    }
    return !(word & (SV_LOCK | SV_DEAD));
}

/* Locks all records to be written. False: no record is locked. A transaction that must wait for long first drops all
 * its locks, because transactions that need these locks would otherwise also wait for a descheduled thread. */
static bool sv_lock_all(struct cc_worker *worker)
{
    struct sv_txn *txn = sv_txn(worker);
    size_t locked;
    sv_sort_writes(txn);
    do {
        for (locked = 0; locked < txn->write_count && sv_lock(worker, txn->writes[locked].record); locked++)
            ;
        if (locked == txn->write_count)
            return true;
        sv_unlock_all(worker, locked);
    } while (sv_stand_aside(txn->writes[locked].record));
    return false;
}

static void sv_install(struct cc_worker *worker, uint64_t value)
{
    for (size_t i = 0; i < sv_txn(worker)->write_count; i++) {
        struct sv_write *write = &sv_txn(worker)->writes[i];
        struct sv_record *record = write->record;
        /* No other transaction changes the word of a locked record. */
        ORDO_INVARIANT(worker->base.engine->name, "C4", record->word & SV_LOCK, "a record is locked when it is written",
                       record, record->word, worker->id);
        ORDO_INVARIANT(worker->base.engine->name, "C7", sv_valid_until(record->word) < value,
                       "the values of a record go up", record, value, record->word);
        history_note(worker->base.history, write->copy ? HISTORY_WRITE : HISTORY_REMOVE, write->table->number,
                     record->node.key, sv_writer(__atomic_load_n(&record->id, __ATOMIC_RELAXED)));
        /* Pairs with sv_copy: a reader that sees this identity sees the word locked. The store ends the count of
         * holders (H4). */
        __atomic_store_n(&record->id, worker->id, __ATOMIC_RELEASE);
        if (write->copy) {
            cc_copy_in(cc_record(write->table, record), cc_record(write->table, write->copy),
                       write->table->record_bytes);
            sv_unlock(record, sv_fresh_word(value));
        } else if (sv_stays(write->table)) {
            sv_unlock(record, SV_ABSENT | sv_fresh_word(value));
        } else {
            sv_bury(worker, write->table, record, sv_fresh_word(value));
        }
    }
}

static void sv_abort(struct ordo_worker *base)
{
    struct cc_worker *worker = (struct cc_worker *)base;
    if (!worker->opened)
        return;
    base->counts.aborts_user += !worker->doomed;
    sv_finish(worker, false);
}

/* Dooms a transaction that got no time for its commit, with `code`. The transaction has not written anything yet. */
static void sv_fail(struct cc_worker *worker, int code)
{
    if (code == ORDO_E_DISRUPTED) { /* C1 */
        (void)cc_disrupt(worker);
        return;
    }
    worker->doom = cc_doom(worker, &worker->base.counts.aborts_user, code);
}

/* Commits a transaction with writes. */
static void sv_commit_writes(struct cc_worker *worker)
{
    uint64_t value;
    sv_txn(worker)->locked = sv_lock_all(worker);
    if (!sv_txn(worker)->locked) {
        (void)cc_doom(worker, &worker->base.counts.aborts_write, 0);
        return;
    }
    int code = sv_commit_value(worker, &value);
    if (!code && sv_validate(worker, value)) {
        sv_install(worker, value);
        return;
    }
    sv_unlock_all(worker, sv_txn(worker)->write_count); /* with the old words, so that waiting transactions go on */
    if (code)
        sv_fail(worker, code);
    else
        (void)cc_doom(worker, &worker->base.counts.aborts_validation, 0);
}

/* Commits a transaction without writes. */
static void sv_commit_reads(struct cc_worker *worker)
{
    uint64_t value;
    int code = sv_commit_value(worker, &value);
    if (code)
        sv_fail(worker, code);
    else if (!sv_validate(worker, value))
        (void)cc_doom(worker, &worker->base.counts.aborts_validation, 0);
}

static int sv_commit(struct ordo_worker *base)
{
    struct cc_worker *worker = (struct cc_worker *)base;
    struct sv_txn *txn = sv_txn(worker);
    if (!worker->opened)
        return ORDO_E_INVALID;
    if (!worker->doomed && txn->write_count)
        sv_commit_writes(worker);
    else if (!worker->doomed && !sv_valid_at_start())
        sv_commit_reads(worker);
    if (worker->doomed) {
        int answer = cc_refuse(worker);
        sv_abort(base);
        return answer;
    }
    base->counts.commits++;
    sv_finish(worker, true);
    return ORDO_OK;
}

static int sv_begin(struct ordo_worker *base, enum ordo_txn_level level)
{
    struct cc_worker *worker = (struct cc_worker *)base;
    struct sv_txn *txn = sv_txn(worker);
    if (worker->opened || !(base->engine->levels & level) || (level & (level - 1)))
        return ORDO_E_INVALID;
    if (cc_is_disrupted(base->db))
        return ORDO_E_DISRUPTED;
    /* Only the owner of the place leaves it. */
    ORDO_INVARIANT(worker->base.engine->name, "use", worker->taken, "a worker that has left begins no transaction",
                   worker, worker->taken, worker->id);
    worker->id += UINT64_C(1) << 16;
    worker->doom = ORDO_OK;
    history_begin(base->history, worker->id);
    worker->level = level;
    worker->doomed = txn->locked = false;
    worker->opened = true;
    uint64_t start = cc_enter(worker, 0).ticks;
    txn->start = txn->start < start ? start : txn->start; /* C8 */
    return ORDO_OK;
}

#endif
