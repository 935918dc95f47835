/* Where a record lies, and for how long: one of a line, with its header, in the home of its bucket (core/home.h), if it can.
 * The claim is the word, which is that of a dead record until the home is vacant. */
#ifndef ORDO_CC_TXN_SINGLE_RECORD_H
#define ORDO_CC_TXN_SINGLE_RECORD_H

#include "cc/txn/single/hold.h"

/* What is in a record of a line from `id` on: while its home is vacant nobody may look at that, and AddressSanitizer reports
 * who does. */
#define SV_HOME_REST (64 - offsetof(struct sv_record, id))

/* Of the buckets of a table: struct cc_hash. */
static inline unsigned sv_width(const struct ordo_table_spec *spec)
{
    return sizeof(struct sv_record) + spec->record_bytes <= 64 ? CC_HOME_WIDTH : 0;
}

/* Whether the records of a table may lie in its buckets. */
static inline bool sv_has_homes(const struct ordo_table *table)
{
    return table->hash.width > 0;
}

/* An absent record for `key`, in the home of its bucket. NULL: the home is not vacant, or there is a record. */
static struct sv_record *sv_create_at_home(struct cc_worker *worker, struct ordo_table *table, uint64_t key)
{
    struct sv_record *home = (struct sv_record *)cc_hash_home(&table->hash, cc_hash_bucket(&table->hash, key));
    if (!home || key == CC_NO_KEY || !cc_home_lock(&table->hash, key, &home->word))
        return NULL;
    CC_UNPOISON(&home->id, SV_HOME_REST);
    home->id = sv_unwritten(table->db);
    /* A dead one's floor was raised before it left the bucket, which is locked. */
    __atomic_store_n(&home->word, SV_ABSENT | __atomic_load_n(&table->floor, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
    worker->items++;
    worker->base.counts.versions_created++;
    cc_home_settle(&table->hash, key);
    return home;
}

/* The same in memory of its own, in the chain; or the record that there is by now. */
static struct sv_record *sv_create_in_chain(struct cc_worker *worker, struct ordo_table *table, uint64_t key)
{
    struct sv_record *record = cc_item_take(worker, table), *there;
    if (!record)
        return NULL;
    record->node.key = key;
    record->id = sv_unwritten(table->db);
    __atomic_store_n(&record->word, SV_LOCK | SV_ABSENT, __ATOMIC_RELAXED);
    there = (struct sv_record *)cc_hash_add(&table->hash, &record->node);
    if (there != record)
        cc_item_put(worker, table, record);
    else /* a dead one's floor was raised before it left the bucket that cc_hash_add locked */
        sv_unlock(record, SV_ABSENT | __atomic_load_n(&table->floor, __ATOMIC_RELAXED));
    return there;
}

/* An absent record for a key that had none; or the one that it has by now. NULL: no memory. */
static __attribute__((noinline)) struct sv_record *sv_create(struct cc_worker *worker, struct ordo_table *table,
                                                             uint64_t key)
{
    struct sv_record *record = sv_create_at_home(worker, table, key);
    return record ? record : sv_create_in_chain(worker, table, key);
}

/* Of a dead record that nobody uses any more: gives its memory back, or leaves its home vacant. */
static bool sv_free_item(struct cc_worker *worker, const struct cc_retired *retired)
{
    struct sv_record *record = retired->item;
    if (!cc_hash_is_home(&retired->table->hash, &record->node)) {
        cc_item_put(worker, retired->table, record);
        return true;
    }
    worker->items--;
    worker->base.counts.versions_reclaimed++;
    CC_POISON(&record->id, SV_HOME_REST);
    cc_home_vacate(&record->word);
    return true;
}

#endif
