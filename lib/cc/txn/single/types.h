/* Single-version optimistic concurrency control: three schemes that differ in the meaning of a record's word.
 *
 *   occ.h     the time of the last writer: a record may be read if this time is certainly before the reader's start
 *   silo.h    a number that grows with every write: a record must be as it was read (Silo, SOSP 2013)
 *   tictoc.h  the begin and the end of the record's validity, in a time computed from the data (TicToc, SIGMOD 2016)
 *
 * Transactions execute on copies. Commit: lock the records to be written, in the order of their addresses; choose the
 * commit time; validate the reads; write in place; and unlock, which stores the new word.
 *
 * Why it is serialisable. A reader copies a record between two loads of its word (copy.h), both of which find the word
 * unlocked. Order the transactions that write by the moment at which they hold all their locks. If T' overwrote a
 * record that T read, T's validation found the record unlocked and unchanged before T' locked it. If T' read or
 * overwrote a record that T wrote, T had already unlocked it. So all dependencies point forward, provided that
 * validation notices every change. The file of each scheme defines the meaning of the word (scheme.h), and shows that
 * its validation notices every change.
 *
 * A key that was read and is missing has an absent record, so that a read that finds nothing is validated like any
 * other. The last transaction that holds an absent record marks it dead and takes it out of the index (hold.h); then it
 * is reclaimed as core.h says. A later record of the key begins at the end of the dead record's validity
 * (table->floor). The memory of a record: record.h.
 *
 * A transaction finds its own writes by their keys, not by their records: another transaction may have deleted the
 * record of an update, and the key may have another record by then. The commit fails in this case, because the old
 * record is dead.
 *
 * Equal times (C7): the lock orders the writers of one record, and their times are certainly ordered. Progress (C9):
 * locks are taken in one order, and held only until the end of a commit; a transaction drops all of them if it waits
 * too long for another lock (sv_lock_all); a retry takes a fresh start.
 */
#ifndef ORDO_CC_TXN_SINGLE_TYPES_H
#define ORDO_CC_TXN_SINGLE_TYPES_H

#include "cc/txn/core.h"

#define SV_LOCK (UINT64_C(1) << 63)
#define SV_ABSENT (UINT64_C(1) << 62)
#define SV_DEAD (UINT64_C(1) << 61) /* the record has left the index, and stays absent for good */

struct sv_read {
    struct sv_record *record;
    uint64_t word;
    struct ordo_table *table;
};

struct sv_write {
    struct sv_record *record, *copy; /* `copy` is NULL if the transaction deletes the record */
    struct ordo_table *table;
    uint64_t key;
};

/* A copy that the program may read until the transaction ends. */
struct sv_view {
    struct sv_record *copy;
    struct ordo_table *table;
};

struct sv_txn {
    uint64_t start, last; /* `start`: the start, for OCC; `last`: the last number that Silo gave */
    bool locked;          /* the transaction has locked all records that it writes */
    struct sv_read *reads;
    struct sv_write *writes;
    struct sv_view *views;
    size_t read_count, write_count, view_count, absent_count, read_capacity, write_capacity, view_capacity;
};

struct sv_worker {
    struct cc_worker core;
    _Alignas(CC_LINE) struct sv_txn txn;
};

static inline struct sv_txn *sv_txn(struct cc_worker *worker)
{
    return &((struct sv_worker *)worker)->txn;
}

struct sv_record {
    struct cc_node node;
    uint64_t word;
    uint64_t id; /* of the last writer, for histories; SV_HELD before the first write; the bytes follow: cc_record */
};

_Static_assert(sizeof(struct sv_record) % 32 == 0, "records of up to 32 bytes lie at multiples of 32");

static inline uint64_t sv_word(struct sv_record *record)
{
    /* Pairs with sv_unlock: the record is as its writer left it. The load is sequentially consistent because of
     * sv_validate, where it pairs with sv_try_lock of other transactions: if each of two transactions locks a record
     * that the other validates, at least one of them sees the other's lock. */
    return __atomic_load_n(&record->word, __ATOMIC_SEQ_CST);
}

static inline void sv_unlock(struct sv_record *record, uint64_t word)
{
    /* Pairs with sv_word, sv_try_lock: the record is complete. */
    __atomic_store_n(&record->word, word, __ATOMIC_RELEASE);
}

/* Locks a record whose word is `seen`; otherwise stores the present word in `seen`. */
static inline bool sv_try_lock(struct sv_record *record, uint64_t *seen)
{
    /* Pairs with sv_unlock. Pairs with sv_word in sv_validate of other transactions: in the total order of these
     * accesses, their own locks come before that load. Pairs with sv_copy, which sees the lock if it sees any byte that
     * is written. */
    return !(*seen & SV_LOCK) &&
           __atomic_compare_exchange_n(&record->word, seen, *seen | SV_LOCK, false, __ATOMIC_SEQ_CST, __ATOMIC_ACQUIRE);
}

/* Returns this transaction's write of a key, or NULL. */
static struct sv_write *sv_own(struct cc_worker *worker, const struct ordo_table *table, uint64_t key)
{
    for (size_t i = 0; i < sv_txn(worker)->write_count; i++)
        if (sv_txn(worker)->writes[i].key == key && sv_txn(worker)->writes[i].table == table)
            return &sv_txn(worker)->writes[i];
    return NULL;
}

/* True if this transaction has the lock of a record. False until it has locked all records (`locked`): until then, an
 * extension can meet only locks of other transactions. */
static bool sv_holds_lock(struct cc_worker *worker, const struct sv_record *record)
{
    for (size_t i = 0; sv_txn(worker)->locked && i < sv_txn(worker)->write_count; i++)
        if (sv_txn(worker)->writes[i].record == record)
            return true;
    return false;
}

#endif
