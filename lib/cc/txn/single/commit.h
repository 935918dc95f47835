/* How transactions begin and end. The argument is in types.h. */
#ifndef ORDO_CC_TXN_SINGLE_COMMIT_H
#define ORDO_CC_TXN_SINGLE_COMMIT_H

#include "cc/history/note.h"
#include "cc/txn/copy.h"
#include "cc/txn/single/record.h"
#include "cc/txn/single/scheme.h"

/* ---- leaving the index ---- */

/* Takes a record out of the index, for ever: a locked one, or an absent one that this transaction held last (H3).
 * `word`: its last word. */
static void sv_bury(struct cc_worker *worker, struct ordo_table *table, struct sv_record *record, uint64_t word)
{
    /* No other transaction changes a word that is locked, or whose last holder this one was. */
    ORDO_INVARIANT(worker->base.engine->name, "H3", !(record->word & SV_DEAD), "a record leaves the index once", record,
                   record->word, word);
    /* The bucket's lock, which is taken next, carries it to the thread that creates the key's next record. */
    cc_keep_larger(&table->floor, sv_valid_until(word));
    sv_unlock(record, (word & ~SV_LOCK) | SV_ABSENT | SV_DEAD);
    cc_hash_remove(&table->hash, &record->node);
    cc_retire(worker, table, record, 0, cc_retire_time(worker).ticks);
}

/* Lets go of the absent records among the reads, and takes those out of the index that no other transaction holds. A
 * dead one has left it, or is about to. */
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
        /* No other transaction unlocks it. */
        ORDO_INVARIANT(worker->base.engine->name, "C4", record->word & SV_LOCK, "a record that is unlocked was locked",
                       record, record->word, i);
        sv_unlock(record, __atomic_load_n(&record->word, __ATOMIC_RELAXED) & ~SV_LOCK);
    }
}

/* Locks a record. False: it is dead, or another transaction has had the lock for so long that its thread may have no
 * CPU. */
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

/* Waits for a record while the transaction holds no lock. True if it is free now; otherwise it is dead, or its holder
 * takes long. */
static bool sv_stand_aside(struct sv_record *record)
{
    uint64_t word = sv_word(record);
    for (unsigned turns = 0; turns < CC_YIELDS && (word & SV_LOCK); turns++) {
        (void)sched_yield();
        word = sv_word(record);
    }
    return !(word & (SV_LOCK | SV_DEAD));
}

/* Locks all records to be written. False: none is locked. A transaction that has to wait for long drops all its locks
 * first, because transactions that wait for these would also wait for a thread without a CPU. */
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
        /* Pairs with sv_copy: a reader of the identity sees the word locked. Ends the count of holders (H4). */
        __atomic_store_n(&record->id, worker->id, __ATOMIC_RELEASE);
        if (write->copy) {
            cc_copy_in(cc_record(write->table, record), cc_record(write->table, write->copy),
                       write->table->record_bytes);
            sv_unlock(record, sv_fresh_word(value));
        } else if (worker->base.db->options.history) {
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

/* Ends a transaction that has no time to commit at, with this code; nothing is written yet. */
static void sv_fail(struct cc_worker *worker, int code)
{
    if (code == ORDO_E_DISRUPTED) { /* C1 */
        (void)cc_disrupt(worker);
        return;
    }
    worker->doom = cc_doom(worker, &worker->base.counts.aborts_user, code);
}

/* Commits a transaction that has written something. */
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
    sv_unlock_all(worker, sv_txn(worker)->write_count); /* with the old words: waiting transactions go on */
    if (code)
        sv_fail(worker, code);
    else
        (void)cc_doom(worker, &worker->base.counts.aborts_validation, 0);
}

/* Commits a transaction that has only read. */
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
