/* The memory of a record, and how long the record stays there. A record that fits in one line with its header is in the
 * home of its bucket if possible (core/home.h). The claim of the home is the record's word; it is the word of a dead
 * record from the removal until the home is vacant again. */
#ifndef ORDO_CC_TXN_SINGLE_RECORD_H
#define ORDO_CC_TXN_SINGLE_RECORD_H

#include "cc/txn/single/hold.h"

/* The size of a one-line record from `id` on. No thread may access these bytes while the home is vacant;
 * AddressSanitizer reports such an access. */
#define SV_HOME_REST (64 - offsetof(struct sv_record, id))

/* Returns the width of a table's buckets (struct cc_hash). */
static inline unsigned sv_width(const struct ordo_table_spec *spec)
{
    return sizeof(struct sv_record) + spec->record_bytes <= 64 ? CC_HOME_WIDTH : 0;
}

/* Returns the size of a place in a dense table. */
static inline size_t sv_place_bytes(const struct ordo_table_spec *spec)
{
    return (cc_record_at(sizeof(struct sv_record), spec->record_bytes) + spec->record_bytes + 63) / 64 * 64;
}

/* True if records of a table may be in its buckets. */
static inline bool sv_has_homes(const struct ordo_table *table)
{
    return table->hash.width > 0;
}

/* Returns the record at a place of a dense table. */
static inline struct sv_record *sv_at_place(const struct ordo_table *table, uint64_t key)
{
    return (struct sv_record *)cc_place(&table->places, key);
}

/* Makes an absent record at each place of a dense table. */
static void sv_fill_places(struct ordo_table *table)
{
    for (uint64_t key = 0; key < table->places.count; key++) {
        struct sv_record *record = sv_at_place(table, key);
        memset(record, 0, table->places.stride);
        record->node.key = key;
        record->word = SV_ABSENT;
        record->id = sv_unwritten(table);
    }
}

/* Makes an absent record for `key` in the home of its bucket. NULL: the home is not vacant, or the key has a record. */
static struct sv_record *sv_create_at_home(struct cc_worker *worker, struct ordo_table *table, uint64_t key)
{
    struct sv_record *home = (struct sv_record *)cc_hash_home(&table->hash, cc_hash_bucket(&table->hash, key));
    if (!home || key == CC_NO_KEY || !cc_home_lock(&table->hash, key, &home->word))
        return NULL;
    CC_UNPOISON(&home->id, SV_HOME_REST);
    home->id = sv_unwritten(table);
    /* Before a dead record left this bucket, which is locked now, the floor was raised to the end of its
     * validity. */
    __atomic_store_n(&home->word, SV_ABSENT | __atomic_load_n(&table->floor, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
    worker->items++;
    worker->base.counts.versions_created++;
    cc_home_settle(&table->hash, key);
    return home;
}

/* Makes an absent record for `key` in the bucket's chain; or returns the record that the key has by now. */
static struct sv_record *sv_create_in_chain(struct cc_worker *worker, struct ordo_table *table, uint64_t key)
{
    struct sv_record *record = cc_item_take(worker, table), *there;
    if (!record)
        return NULL;
    record->node.key = key;
    record->id = sv_unwritten(table);
    __atomic_store_n(&record->word, SV_LOCK | SV_ABSENT, __ATOMIC_RELAXED);
    there = (struct sv_record *)cc_hash_add(&table->hash, &record->node);
    if (there != record)
        cc_item_put(worker, table, record);
    else /* the floor was raised before a dead record left the bucket, which cc_hash_add has locked */
        sv_unlock(record, SV_ABSENT | __atomic_load_n(&table->floor, __ATOMIC_RELAXED));
    return there;
}

/* Makes an absent record for a key without a record; or returns the record that the key has by now. NULL: out of
 * memory. */
static __attribute__((noinline)) struct sv_record *sv_create(struct cc_worker *worker, struct ordo_table *table,
                                                             uint64_t key)
{
    struct sv_record *record = sv_create_at_home(worker, table, key);
    return record ? record : sv_create_in_chain(worker, table, key);
}

/* Frees a dead record that no thread uses any more; if it is in a home, makes the home vacant. */
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
