/* Single-version optimistic concurrency control: three schemes that differ in what the word of a record means.
 *
 *   CC_OCC     the time of the last writer: a record may be read if that is certainly before the transaction's start
 *   CC_SILO    a number that grows with every write: a record must be as it was read (Silo, SOSP 2013)
 *   CC_TICTOC  from when to when the record is valid, in a time that the data make up (TicToc, SIGMOD 2016)
 *
 * All execute on copies. Commit: lock the records to be written in the order of their addresses; choose the commit
 * time; validate what was read; write in place and unlock, which shows the new word.
 *
 * Why it is serialisable. A reader copies a record between two looks at its word (copy.h), unlocked both times. Order
 * transactions that write by the moment when they hold all locks. If T read what T' overwrote, T's validation found the
 * record unlocked and unchanged, before T' locked it. If T' read or overwrote what T wrote, T had unlocked it. So all
 * dependencies go forward, provided that validation notices every change:
 *
 * OCC. T starts at s. A change of a record after T read it was locked after s was read, and its time e was read after
 * the lock (sv_commit_value), which is the announcement of C4: e >= s - B by the lemma, so it is not certainly before
 * s, and an uncertain one is a conflict (C6, sv_unchanged), as is a lock that is still held. Each record that T copied
 * was valid at s for the same reason, so a transaction without writes needs no validation: suppose T is missed, T'
 * depends on it and is seen; e' >= e - B. T's record was either met with e not certainly before s, which is a conflict,
 * or was copied before T locked it, and then e' >= s - B too. A record that is too new is no reason to abort: the start
 * moves to a time certainly after it, if all that was read is unchanged since the old start (sv_admit). An absent
 * record that has left the index keeps its time and counts as changed: its key may have another record.
 *
 * Silo. The number changes with every write. No times; its epochs, which order logs, are not needed here.
 *
 * TicToc. T commits at a time c that is not before any version it read and after the validity of any version it
 * overwrites. A version that was read is valid at c, or its validity is extended to c while it is unlocked and
 * unchanged (sv_validate_read). Then c, and the order of locking where it is equal, is the serial order. It is not the
 * real one: T may be ordered before a transaction that ended before T began.
 *
 * What is not there is a record too, absent, so that a reader of nothing is validated like any other. Whoever leaves an
 * absent record behind takes it out of the index, marked dead, and it is reclaimed as core.h says. A record that comes
 * later begins where the dead one's validity ended (table->floor).
 *
 * Equal times (C7): the lock orders writers of one record, and their times are certainly ordered. Progress (C9): locks
 * are taken in one order and held only to the end of a commit; a retry takes a fresh start.
 */
#ifndef ORDO_CC_TXN_SINGLE_H
#define ORDO_CC_TXN_SINGLE_H

#include <ordo/cc/txn.h>

#define SV_LOCK (UINT64_C(1) << 63)
#define SV_ABSENT (UINT64_C(1) << 62)
#define SV_DEAD (UINT64_C(1) << 61) /* has left the index; absent for ever */

#if defined CC_TICTOC /* delta << 46 | wts: valid from wts to wts + delta */
#define SV_DELTA_SHIFT 46
#define SV_DELTA_MAX UINT64_C(0x7fff)
#define SV_VALUE ((UINT64_C(1) << SV_DELTA_SHIFT) - 1)
#define SV_SAME (SV_ABSENT | SV_DEAD | SV_VALUE) /* what does not change with the validity */
#else
#define SV_VALUE (SV_DEAD - 1)
#define SV_SAME (SV_ABSENT | SV_DEAD | SV_VALUE)
#endif

struct sv_read {
    struct sv_record *record;
    uint64_t word;
    struct ordo_table *table;
};

struct sv_write {
    struct sv_record *record, *copy; /* no copy: the record is deleted */
    struct ordo_table *table;
};

struct cc_txn {
    uint64_t start, last; /* OCC: the start; Silo: the last number given, 0 elsewhere */
    enum ordo_txn_level level;
    bool doomed, opened, locked; /* locked: it holds the locks of all that it writes */
    struct sv_read *reads;
    struct sv_write *writes;
    size_t read_count, write_count, absent_count, read_capacity, write_capacity;
};

#include "cc/txn/copy.h"
#include "cc/txn/core.h"

struct sv_record {
    struct cc_node node;
    uint64_t word;
    uint64_t id; /* of the last writer, for histories; changes with the record */
    _Alignas(ORDO_TXN_RECORD_ALIGN) unsigned char data[];
};

static inline ordo_time sv_time(uint64_t word)
{
    return (ordo_time){word & SV_VALUE};
}

static inline uint64_t sv_word(struct sv_record *record)
{
    /* Pairs with sv_unlock: the record is as its writer left it. Sequentially consistent for sv_validate: pairs with
     * sv_try_lock of others. Of two transactions that each lock what the other reads, one sees the other's lock. */
    return __atomic_load_n(&record->word, __ATOMIC_SEQ_CST);
}

static inline void sv_unlock(struct sv_record *record, uint64_t word)
{
    /* Pairs with sv_word, sv_try_lock: the record is complete. */
    __atomic_store_n(&record->word, word, __ATOMIC_RELEASE);
}

/* Locks a record whose word is `seen`; otherwise `seen` is what it is now. */
static inline bool sv_try_lock(struct sv_record *record, uint64_t *seen)
{
    /* Pairs with sv_unlock; and with sv_word in sv_validate of others, whose own locks come before their look in the
     * one order of all such accesses, and in sv_copy, which sees it before anything that is written. */
    return !(*seen & SV_LOCK) &&
           __atomic_compare_exchange_n(&record->word, seen, *seen | SV_LOCK, false, __ATOMIC_SEQ_CST, __ATOMIC_ACQUIRE);
}

static inline int sv_doom(struct cc_worker *worker, uint64_t *cause, int answer)
{
    ++*cause;
    worker->txn.doomed = true;
    return answer;
}

static int sv_out_of_memory(struct cc_worker *worker)
{
    return sv_doom(worker, &worker->base.counts.aborts_user, ORDO_E_SYSTEM);
}

static inline void sv_wait(struct cc_worker *worker, unsigned *turns)
{
    worker->base.counts.waits += *turns == 0;
    cc_wait(turns);
}

/* The write of a record by this transaction, or NULL. */
static struct sv_write *sv_own(struct cc_worker *worker, const struct sv_record *record)
{
    for (size_t i = 0; i < worker->txn.write_count; i++)
        if (worker->txn.writes[i].record == record)
            return &worker->txn.writes[i];
    return NULL;
}

/* Whose a lock is: before all are held, an extension may meet others' locks on what this transaction will write. */
static bool sv_holds_lock(struct cc_worker *worker, const struct sv_record *record)
{
    return worker->txn.locked && sv_own(worker, record);
}

/* ---- the schemes ---- */

#if defined CC_TICTOC

static inline uint64_t sv_valid_until(uint64_t word)
{
    return (word & SV_VALUE) + (word >> SV_DELTA_SHIFT & SV_DELTA_MAX);
}

/* The word of a version that is valid from `from` to `until`. A validity that is too long begins later, and whoever
 * read the version before aborts for nothing. */
static inline uint64_t sv_validity(uint64_t flags, uint64_t from, uint64_t until)
{
    if (until - from > SV_DELTA_MAX)
        from = until - SV_DELTA_MAX;
    return flags | (until - from) << SV_DELTA_SHIFT | from;
}

/* Extends the validity of a version that was read to `until`. */
static bool sv_validate_read(struct cc_worker *worker, const struct sv_read *read, uint64_t until)
{
    uint64_t word = sv_word(read->record), longer;
    if (sv_valid_until(read->word) >= until)
        return true;
    do {
        if ((word & SV_SAME) != (read->word & SV_SAME))
            return false;
        if (sv_valid_until(word) >= until)
            return true;
        if (word & SV_LOCK)
            return sv_holds_lock(worker, read->record);
        longer = sv_validity(word & SV_ABSENT, word & SV_VALUE, until);
        /* Pairs with sv_try_lock: whoever locks it later commits later. */
    } while (
        !__atomic_compare_exchange_n(&read->record->word, &word, longer, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
    return true;
}

/* The commit time. ORDO_E_INVALID: the times are used up. */
static int sv_commit_value(struct cc_worker *worker, uint64_t *result)
{
    const struct cc_txn *txn = &worker->txn;
    uint64_t value = 0;
    for (size_t i = 0; i < txn->read_count; i++)
        value = value < (txn->reads[i].word & SV_VALUE) ? txn->reads[i].word & SV_VALUE : value;
    for (size_t i = 0; i < txn->write_count; i++) {
        uint64_t until = sv_valid_until(__atomic_load_n(&txn->writes[i].record->word, __ATOMIC_RELAXED));
        value = value < until + 1 ? until + 1 : value;
    }
    *result = value;
    return value > SV_VALUE ? ORDO_E_INVALID : ORDO_OK;
}

#else

static inline uint64_t sv_valid_until(uint64_t word)
{
    return word & SV_VALUE;
}

#if defined CC_OCC
static inline bool sv_unchanged(struct cc_worker *worker, const struct sv_read *read, uint64_t word)
{
    return ((word ^ read->word) & (SV_ABSENT | SV_DEAD)) == 0 &&
           ordo_stamp_after(&worker->base.db->stamp, (ordo_time){worker->txn.start}, sv_time(word)); /* C6 */
}
#else
static inline bool sv_unchanged(struct cc_worker *worker, const struct sv_read *read, uint64_t word)
{
    (void)worker;
    return (word & SV_SAME) == (read->word & SV_SAME);
}
#endif

static bool sv_validate_read(struct cc_worker *worker, const struct sv_read *read, uint64_t value)
{
    uint64_t word = sv_word(read->record);
    (void)value;
    return sv_unchanged(worker, read, word) && (!(word & SV_LOCK) || sv_holds_lock(worker, read->record));
}

/* All locks are held: the word of what is written. ORDO_E_DISRUPTED: waited for the clock in vain. */
static int sv_commit_value(struct cc_worker *worker, uint64_t *result)
{
    struct cc_txn *txn = &worker->txn;
    uint64_t latest = txn->last;
    for (size_t i = 0; i < txn->write_count; i++) {
        uint64_t value = __atomic_load_n(&txn->writes[i].record->word, __ATOMIC_RELAXED) & SV_VALUE;
        latest = latest < value ? value : latest;
    }
#if defined CC_OCC
    latest = latest < txn->start ? txn->start : latest;
    worker->base.counts.stamps++;
    ordo_time now;
    int code = ordo_stamp_issue(&worker->base.db->stamp, &worker->stamp, (ordo_time){latest}, &now);
    *result = now.ticks;
    return code;
#else
    for (size_t i = 0; i < txn->read_count; i++)
        latest = latest < (txn->reads[i].word & SV_VALUE) ? txn->reads[i].word & SV_VALUE : latest;
    *result = txn->last = latest + 1;
    return ORDO_OK;
#endif
}

#endif

static bool sv_validate(struct cc_worker *worker, uint64_t value)
{
    for (size_t i = 0; i < worker->txn.read_count; i++)
        if (!sv_validate_read(worker, &worker->txn.reads[i], value))
            return false;
    return true;
}

/* Whether the transaction may read a record with that word. */
static int sv_admit(struct cc_worker *worker, uint64_t word)
{
#if defined CC_OCC
    struct ordo_txn_counts *counts = &worker->base.counts;
    struct ordo_db *db = worker->base.db;
    struct cc_txn *txn = &worker->txn;
    if (ordo_stamp_after(&db->stamp, (ordo_time){txn->start}, sv_time(word)))
        return ORDO_OK;
    if (db->options.uncertain == ORDO_UNCERTAIN_ABORT) {
        ordo_stamp_move_on(&db->stamp); /* C9 */
        return sv_doom(worker, &counts->aborts_uncertain, ORDO_TXN_CONFLICT);
    }
    /* The new start is taken first; then nothing may have changed since the old one. */
    ordo_time later;
    if (ordo_stamp_later(&db->stamp, cc_max(sv_time(word), (ordo_time){txn->start}), &later))
        return cc_disrupt(worker);
    counts->stamps++;
    counts->extensions++;
    if (!sv_validate(worker, 0))
        return sv_doom(worker, &counts->aborts_validation, ORDO_TXN_CONFLICT);
    txn->start = later.ticks;
#else
    (void)worker;
    (void)word;
#endif
    return ORDO_OK;
}

/* ---- execution ---- */

/* An absent record for a key that had none; or the one that it has by now. */
static struct sv_record *sv_create(struct cc_worker *worker, struct ordo_table *table, uint64_t key)
{
    struct sv_record *record = cc_item_take(worker, table), *there;
    if (!record)
        return NULL;
    record->node.key = key;
    record->id = 0;
    __atomic_store_n(&record->word, SV_LOCK | SV_ABSENT, __ATOMIC_RELAXED);
    there = (struct sv_record *)cc_hash_add(&table->hash, &record->node);
    if (there != record)
        cc_item_put(worker, table, record);
    else /* a dead one's floor was raised before it left the bucket that cc_hash_add locked */
        sv_unlock(record, SV_ABSENT | __atomic_load_n(&table->floor, __ATOMIC_RELAXED));
    return there;
}

/* What is found may be absent, and must then be among the reads so that it is taken out again: there is room for that,
 * and for retiring it, before it is made. */
static struct sv_record *sv_find(struct cc_worker *worker, struct ordo_table *table, uint64_t key)
{
    struct cc_txn *txn = &worker->txn;
    struct ordo_db *db = worker->base.db;
    if (cc_grow(db, &txn->reads, txn->read_count, &txn->read_capacity, sizeof *txn->reads) ||
        cc_queue_reserve(db, &worker->queue, txn->absent_count + txn->write_count + 3))
        return NULL;
    struct sv_record *record = (struct sv_record *)cc_hash_find(&table->hash, key);
    return record ? record : sv_create(worker, table, key);
}

/* Copies a record and its identity between two equal words, which are the answer. */
static uint64_t sv_copy(struct cc_worker *worker, struct sv_record *record, void *to, size_t bytes, uint64_t *id)
{
    unsigned turns = 0;
    for (;;) {
        uint64_t word = sv_word(record);
        if (!(word & SV_LOCK)) {
            if (to && !(word & SV_ABSENT))
                cc_copy_out(to, record->data, bytes);
            /* Pairs with sv_install: an identity of the next version comes with a changed word. */
            *id = __atomic_load_n(&record->id, __ATOMIC_ACQUIRE);
            if (((sv_word(record) ^ word) & (SV_SAME | SV_LOCK)) == 0)
                return word;
        }
        sv_wait(worker, &turns);
    }
}

/* sv_find has made the room. */
static void sv_add_read(struct cc_worker *worker, struct ordo_table *table, struct sv_record *record, uint64_t word)
{
    struct cc_txn *txn = &worker->txn;
    txn->absent_count += (word & SV_ABSENT) != 0;
    txn->reads[txn->read_count++] = (struct sv_read){record, word, table};
}

/* Reads a record that the transaction has not written: OK or ABSENT. */
static int sv_fetch(struct cc_worker *worker, struct ordo_table *table, struct sv_record *record, void *to)
{
    uint64_t start = worker->txn.start, id, word = sv_copy(worker, record, to, table->record_bytes, &id);
    int answer = sv_admit(worker, word);
    /* A record that is dead, or that was changed before the new start was taken, does not belong to it. */
    if (!answer &&
        ((word & SV_DEAD) || (worker->txn.start != start && ((sv_word(record) ^ word) & (SV_SAME | SV_LOCK)))))
        answer = sv_doom(worker, &worker->base.counts.aborts_validation, ORDO_TXN_CONFLICT);
    /* In any case: an absent record must be taken out again. */
    sv_add_read(worker, table, record, word);
    if (answer)
        return answer;
    history_note(worker->base.history, HISTORY_READ, table->number, record->node.key, id);
    return word & SV_ABSENT ? ORDO_TXN_ABSENT : ORDO_OK;
}

static int sv_add_write(struct cc_worker *worker, struct ordo_table *table, struct sv_record *record,
                        struct sv_record *copy)
{
    struct cc_txn *txn = &worker->txn;
    if (cc_grow(worker->base.db, &txn->writes, txn->write_count, &txn->write_capacity, sizeof *txn->writes) ||
        cc_queue_reserve(worker->base.db, &worker->queue, txn->absent_count + txn->write_count + 2)) {
        if (copy)
            cc_item_put(worker, table, copy);
        return sv_out_of_memory(worker);
    }
    txn->writes[txn->write_count++] = (struct sv_write){record, copy, table};
    return ORDO_OK;
}

static int sv_read_record(struct ordo_worker *base, struct ordo_table *table, uint64_t key, void *to)
{
    struct cc_worker *worker = (struct cc_worker *)base;
    if (worker->txn.doomed)
        return cc_refuse(worker);
    struct sv_record *record = sv_find(worker, table, key);
    if (!record)
        return sv_out_of_memory(worker);
    struct sv_write *own = sv_own(worker, record);
    if (!own)
        return sv_fetch(worker, table, record, to);
    if (!own->copy)
        return ORDO_TXN_ABSENT;
    memcpy(to, own->copy->data, table->record_bytes);
    return ORDO_OK;
}

/* The record of a write, and whether the transaction has written it before. */
static int sv_may_write(struct cc_worker *worker, struct ordo_table *table, uint64_t key, struct sv_record **record,
                        struct sv_write **own)
{
    if (worker->txn.doomed)
        return cc_refuse(worker);
    if (worker->txn.level != ORDO_TXN_SERIALIZABLE || key == UINT64_MAX)
        return sv_doom(worker, &worker->base.counts.aborts_user, ORDO_E_INVALID);
    *record = sv_find(worker, table, key);
    if (!*record)
        return sv_out_of_memory(worker);
    *own = sv_own(worker, *record);
    return ORDO_OK;
}

static int sv_update(struct ordo_worker *base, struct ordo_table *table, uint64_t key, void **to)
{
    struct cc_worker *worker = (struct cc_worker *)base;
    struct sv_record *record, *copy;
    struct sv_write *own;
    int answer = sv_may_write(worker, table, key, &record, &own);
    if (answer)
        return answer;
    if (own) {
        *to = own->copy ? own->copy->data : NULL;
        return own->copy ? ORDO_OK : ORDO_TXN_ABSENT;
    }
    copy = cc_item_take(worker, table);
    if (!copy) {
        (void)sv_fetch(worker, table, record, NULL); /* it may be absent */
        return sv_out_of_memory(worker);
    }
    answer = sv_fetch(worker, table, record, copy->data);
    if (answer) {
        cc_item_put(worker, table, copy);
        return answer;
    }
    *to = copy->data;
    return sv_add_write(worker, table, record, copy);
}

static int sv_insert(struct ordo_worker *base, struct ordo_table *table, uint64_t key, void **to)
{
    struct cc_worker *worker = (struct cc_worker *)base;
    struct sv_record *record, *copy;
    struct sv_write *own;
    int answer = sv_may_write(worker, table, key, &record, &own);
    if (answer)
        return answer;
    if (own && own->copy)
        return ORDO_TXN_EXISTS;
    answer = own ? ORDO_TXN_ABSENT : sv_fetch(worker, table, record, NULL);
    if (answer != ORDO_TXN_ABSENT)
        return answer == ORDO_OK ? ORDO_TXN_EXISTS : answer;
    copy = cc_item_take(worker, table);
    if (!copy)
        return sv_out_of_memory(worker);
    *to = copy->data;
    if (!own)
        return sv_add_write(worker, table, record, copy);
    own->copy = copy;
    return ORDO_OK;
}

static int sv_remove(struct ordo_worker *base, struct ordo_table *table, uint64_t key)
{
    struct cc_worker *worker = (struct cc_worker *)base;
    struct sv_record *record;
    struct sv_write *own;
    int answer = sv_may_write(worker, table, key, &record, &own);
    if (answer)
        return answer;
    if (!own) {
        answer = sv_fetch(worker, table, record, NULL);
        return answer ? answer : sv_add_write(worker, table, record, NULL);
    }
    if (!own->copy)
        return ORDO_TXN_ABSENT;
    cc_item_put(worker, table, own->copy);
    own->copy = NULL;
    return ORDO_OK;
}

static int sv_scan(struct ordo_worker *base, struct ordo_table *table, uint64_t first, uint64_t last,
                   ordo_txn_visit *visit, void *context)
{
    struct cc_worker *worker = (struct cc_worker *)base;
    (void)table, (void)first, (void)last, (void)visit, (void)context;
    return sv_doom(worker, &base->counts.aborts_user, ORDO_E_INVALID);
}

#include "cc/txn/single/commit.h"

#endif
