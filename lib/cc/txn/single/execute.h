/* How the single-version engines read and write, on copies. The argument is in types.h. */
#ifndef ORDO_CC_TXN_SINGLE_EXECUTE_H
#define ORDO_CC_TXN_SINGLE_EXECUTE_H

#include "cc/history/note.h"
#include "cc/txn/copy.h"
#include "cc/txn/single/record.h"
#include "cc/txn/single/scheme.h"

/* Returns the record of a key, and creates an absent record if the key has none. If the record is absent, the
 * transaction holds it afterwards (hold.h), and the caller must add it to the reads, so that the transaction lets go of
 * it at its end. Room for the read, and for retiring the record if it may leave the index, is reserved first. NULL: out of memory. */
static inline struct sv_record *sv_find(struct cc_worker *worker, struct ordo_table *table, uint64_t key)
{
    struct sv_txn *txn = sv_txn(worker);
    struct ordo_db *db = worker->base.db;
    unsigned turns = 0;
    /* Neither pointer ever changes. */
    ORDO_INVARIANT(worker->base.engine->name, "use", table->db == db, "a table is of the database of its worker",
                   worker, (uintptr_t)table, (uintptr_t)db);
    if (cc_grow(db, &txn->reads, txn->read_count, &txn->read_capacity, sizeof *txn->reads) ||
        (!sv_stays(table) && cc_queue_reserve(db, &worker->queue, txn->absent_count + txn->write_count + 3)))
        return NULL;
    if (table->places.first)
        return sv_at_place(table, key);
    for (;;) {
        struct sv_record *record = (struct sv_record *)cc_hash_find(&table->hash, key);
        if (!record && !(record = sv_create(worker, table, key)))
            return NULL;
        if (!(sv_word(record) & SV_ABSENT) || sv_hold(record))
            return record;
        cc_wait_turn(worker, &turns); /* H2 */
    }
}

/* Copies a record and its identity; repeats this until the record's word is the same before and after. Returns the
 * word. */
static inline uint64_t sv_copy(struct cc_worker *worker, struct ordo_table *table, struct sv_record *record, void *to,
                               uint64_t *id)
{
    unsigned turns = 0;
    for (;;) {
        uint64_t word = sv_word(record);
        if (!(word & SV_LOCK)) {
            if (to && !(word & SV_ABSENT))
                cc_copy_out(to, cc_record(table, record), table->record_bytes);
            /* Pairs with sv_install: if this is the identity of the next version, the word has changed. */
            *id = __atomic_load_n(&record->id, __ATOMIC_ACQUIRE);
            if (sv_version(sv_word(record)) == sv_version(word))
                return word;
        }
        cc_wait_turn(worker, &turns);
    }
}

/* Adds a record to the reads. sv_find has made room for it. */
static void sv_add_read(struct cc_worker *worker, struct ordo_table *table, struct sv_record *record, uint64_t word)
{
    struct sv_txn *txn = sv_txn(worker);
    txn->absent_count += (word & SV_ABSENT) != 0;
    txn->reads[txn->read_count++] = (struct sv_read){record, word, table};
}

/* Reads a record that the transaction has not written. Returns ORDO_OK or ORDO_TXN_ABSENT. */
static inline int sv_fetch(struct cc_worker *worker, struct ordo_table *table, uint64_t key, struct sv_record *record,
                           void *to)
{
    uint64_t start = sv_txn(worker)->start, id, word = sv_copy(worker, table, record, to, &id);
    int answer = sv_admit(worker, word);
    /* A record that is dead, or was changed before the new start was taken, does not belong to the transaction's
     * view. */
    if (!answer &&
        ((word & SV_DEAD) || (sv_txn(worker)->start != start && sv_version(sv_word(record)) != sv_version(word))))
        answer = cc_doom(worker, &worker->base.counts.aborts_validation, ORDO_TXN_CONFLICT);
    /* The read is added after a failure too, because the transaction must let go of an absent record. */
    sv_add_read(worker, table, record, word);
    if (answer)
        return answer;
    history_note(worker->base.history, HISTORY_READ, table->number, key, sv_writer(id));
    return word & SV_ABSENT ? ORDO_TXN_ABSENT : ORDO_OK;
}

static int sv_add_write(struct cc_worker *worker, struct ordo_table *table, uint64_t key, struct sv_record *record,
                        struct sv_record *copy)
{
    struct sv_txn *txn = sv_txn(worker);
    if (cc_grow(worker->base.db, &txn->writes, txn->write_count, &txn->write_capacity, sizeof *txn->writes) ||
        cc_queue_reserve(worker->base.db, &worker->queue, txn->absent_count + txn->write_count + 2)) {
        if (copy)
            cc_item_put(worker, table, copy);
        return cc_out_of_memory(worker);
    }
    txn->writes[txn->write_count++] = (struct sv_write){record, copy, table, key};
    return ORDO_OK;
}

static int sv_read_record(struct ordo_worker *base, struct ordo_table *table, uint64_t key, void *to)
{
    struct cc_worker *worker = (struct cc_worker *)base;
    if (worker->doomed)
        return cc_refuse(worker);
    if (key > table->last_key)
        return cc_forbid(worker);
    struct sv_write *own = sv_own(worker, table, key);
    if (own && !own->copy)
        return ORDO_TXN_ABSENT;
    if (own) {
        memcpy(to, cc_record(table, own->copy), table->record_bytes);
        return ORDO_OK;
    }
    struct sv_record *record = sv_find(worker, table, key);
    return record ? sv_fetch(worker, table, key, record, to) : cc_out_of_memory(worker);
}

/* Shows the transaction's own write of the record. If there is none, shows a copy, because other transactions write in
 * place. The copy stays valid until the transaction ends. */
static int sv_look(struct ordo_worker *base, struct ordo_table *table, uint64_t key, const void **seen)
{
    struct cc_worker *worker = (struct cc_worker *)base;
    struct sv_txn *txn = sv_txn(worker);
    if (worker->doomed)
        return cc_refuse(worker);
    if (key > table->last_key)
        return cc_forbid(worker);
    struct sv_write *own = sv_own(worker, table, key);
    if (own && !own->copy)
        return ORDO_TXN_ABSENT;
    if (own) {
        *seen = cc_record(table, own->copy);
        return ORDO_OK;
    }
    if (cc_grow(base->db, &txn->views, txn->view_count, &txn->view_capacity, sizeof *txn->views))
        return cc_out_of_memory(worker);
    struct sv_record *record = sv_find(worker, table, key), *copy;
    if (!record)
        return cc_out_of_memory(worker);
    copy = cc_item_take(worker, table);
    if (!copy) {
        (void)sv_fetch(worker, table, key, record, NULL); /* the record may be absent */
        return cc_out_of_memory(worker);
    }
    txn->views[txn->view_count++] = (struct sv_view){copy, table};
    *seen = cc_record(table, copy);
    return sv_fetch(worker, table, key, record, cc_record(table, copy));
}

/* Finds the transaction's own write of the key; if there is none, the key's record. */
static int sv_may_write(struct cc_worker *worker, struct ordo_table *table, uint64_t key, struct sv_record **record,
                        struct sv_write **own)
{
    if (worker->doomed)
        return cc_refuse(worker);
    if (worker->level != ORDO_TXN_SERIALIZABLE || key > table->last_key || key == CC_NO_KEY)
        return cc_forbid(worker);
    *own = sv_own(worker, table, key);
    *record = *own ? NULL : sv_find(worker, table, key);
    return *own || *record ? ORDO_OK : cc_out_of_memory(worker);
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
        *to = own->copy ? cc_record(table, own->copy) : NULL;
        return own->copy ? ORDO_OK : ORDO_TXN_ABSENT;
    }
    copy = cc_item_take(worker, table);
    if (!copy) {
        (void)sv_fetch(worker, table, key, record, NULL); /* the record may be absent */
        return cc_out_of_memory(worker);
    }
    answer = sv_fetch(worker, table, key, record, cc_record(table, copy));
    if (answer) {
        cc_item_put(worker, table, copy);
        return answer;
    }
    *to = cc_record(table, copy);
    return sv_add_write(worker, table, key, record, copy);
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
    answer = own ? ORDO_TXN_ABSENT : sv_fetch(worker, table, key, record, NULL);
    if (answer != ORDO_TXN_ABSENT)
        return answer == ORDO_OK ? ORDO_TXN_EXISTS : answer;
    copy = cc_item_take(worker, table);
    if (!copy)
        return cc_out_of_memory(worker);
    *to = cc_record(table, copy);
    if (!own)
        return sv_add_write(worker, table, key, record, copy);
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
        answer = sv_fetch(worker, table, key, record, NULL);
        return answer ? answer : sv_add_write(worker, table, key, record, NULL);
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
    return cc_forbid(worker);
}

#endif
