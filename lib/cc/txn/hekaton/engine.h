/* Hekaton as an engine: its databases and workers, and the table of its calls. */
#ifndef ORDO_CC_TXN_HEKATON_ENGINE_H
#define ORDO_CC_TXN_HEKATON_ENGINE_H

#include "cc/txn/hekaton/audit.h"
#include "cc/txn/hekaton/end.h"
#include "cc/txn/hekaton/write.h"

/* C8 must hold for each thread, but the last times of a thread are kept in its worker's place. So a thread that leaves
 * hands its times to the threads that join later, in any place. Relaxed: a thread that joins again finds its own
 * stores, and so does a thread that has synchronised with it in between. hk_join does not wait; hk_begin waits if it
 * comes too early. */
static int hk_join(struct ordo_db *db, struct ordo_worker **result)
{
    int code = cc_join(db, sizeof(struct hk_worker), result);
    if (code)
        return code;
    struct hk_txn *txn = hk_txn((struct cc_worker *)*result);
    txn->last_begin = __atomic_load_n(&db->last_begin, __ATOMIC_RELAXED);
    txn->last_end = __atomic_load_n(&db->last_end, __ATOMIC_RELAXED);
    return ORDO_OK;
}

static void hk_leave(struct ordo_worker *base)
{
    struct hk_txn *txn = hk_txn((struct cc_worker *)base);
    cc_keep_larger(&base->db->last_begin, txn->last_begin);
    cc_keep_larger(&base->db->last_end, txn->last_end);
    cc_leave(base, hk_free_item);
}

/* Returns the part of an anchor's newest version to prefetch: only the record if the version will be read and the
 * anchor has its time; otherwise the whole item. */
static inline struct cc_ahead hk_ahead(const struct ordo_table *table, struct hk_anchor *anchor, bool to_write)
{
    struct hk_version *head = hk_head(anchor);
    if (head && !to_write && hk_tells(anchor))
        return (struct cc_ahead){cc_record(table, head), table->record_bytes, false};
    return (struct cc_ahead){head, table->item_bytes, to_write};
}

/* Returns the first anchor of the key's chain, which is probably the key's anchor. NULL: the key is in its home, or the
 * chain is empty. */
static inline struct hk_anchor *hk_ahead_in_chain(const struct ordo_table *table, uint64_t key)
{
    uintptr_t *bucket = cc_hash_bucket(&table->hash, key);
    if (cc_hash_is_at(cc_hash_home(&table->hash, bucket), key))
        return NULL;
    return (struct hk_anchor *)cc_hash_first(bucket);
}

/* Returns the number of updates among the first `count` keys of a hint. */
static inline unsigned hk_updates_among(unsigned count, uint64_t updates)
{
    unsigned fresh = 0;
    for (unsigned i = 0; i < count; i++)
        fresh += updates >> i & 1;
    return fresh;
}

/* Prefetches the keys of a dense table: the anchors, the memory of new versions and, if the anchors do not contain the
 * records, the newest versions. */
static void hk_prefetch_places(struct cc_worker *worker, const struct ordo_table *table, const uint64_t *keys,
                               unsigned count, uint64_t updates)
{
    struct cc_ahead ahead[CC_KEYS_AHEAD] = {0};
    for (unsigned i = 0; i < count; i++)
        if (keys[i] <= table->last_key)
            cc_fetch(hk_at_place(table, keys[i]), 1, updates >> i & 1);
    cc_pool_fetch(worker, table, hk_updates_among(count, updates));
    if (hk_is_inline(table))
        return;
    for (unsigned i = 0; i < count; i++) {
        if (keys[i] <= table->last_key)
            ahead[i] = hk_ahead(table, hk_at_place(table, keys[i]), updates >> i & 1);
        cc_fetch_part(&ahead[i], 0, CC_FIRST);
    }
    cc_fetch_rest(ahead, count);
}

/* Prefetches many keys at once: first the buckets, then the anchors that are in chains, then the versions. An update
 * writes to three lines. The anchor's line has the claim; it is mostly the bucket's line, which is therefore prefetched
 * for writing. The memory of the new version has left the core's first cache. The old version is retired, and the
 * worker will soon reuse its memory. If the anchors contain the records, only the buckets and the memory of new
 * versions are prefetched: most anchors are in the buckets, and checking which are not would itself miss the cache. */
static void hk_prefetch(struct ordo_worker *base, struct ordo_table *table, const uint64_t *keys, unsigned count,
                        uint64_t updates)
{
    struct hk_anchor *chained[CC_KEYS_AHEAD];
    struct cc_ahead ahead[CC_KEYS_AHEAD];
    if (((struct cc_worker *)base)->doomed)
        return;
    count = count < CC_KEYS_AHEAD ? count : CC_KEYS_AHEAD;
    if (hk_stays(table)) {
        hk_prefetch_places((struct cc_worker *)base, table, keys, count, updates);
        return;
    }
    for (unsigned i = 0; i < count; i++)
        cc_fetch(cc_hash_bucket(&table->hash, keys[i]), 1, table->hash.width && updates >> i & 1);
    cc_pool_fetch((struct cc_worker *)base, table, hk_updates_among(count, updates));
    if (hk_is_inline(table))
        return;
    for (unsigned i = 0; i < count; i++) {
        chained[i] = hk_ahead_in_chain(table, keys[i]);
        cc_fetch(chained[i], 64, updates >> i & 1);
    }
    for (unsigned i = 0; i < count; i++) {
        struct hk_anchor *anchor = hk_find(table, keys[i]);
        bool to_write = updates >> i & 1;
        if (to_write && chained[i] && anchor && anchor != chained[i]) /* the chain begins with another key's anchor */
            ordo_fetch_to_write(anchor);
        ahead[i] = anchor ? hk_ahead(table, anchor, to_write) : (struct cc_ahead){0};
        cc_fetch_part(&ahead[i], 0, CC_FIRST);
    }
    cc_fetch_rest(ahead, count);
}

/* ---- the database ---- */

static int hk_open(struct ordo_db **result, const struct ordo_db_engine *engine, const struct ordo_db_options *options)
{
    int code = cc_open(result, engine, options);
    if (!code && !hk_fences_all())
        hk_do_without_fence(*result);
    return code;
}

static int hk_table_add(struct ordo_db *db, const struct ordo_table_spec *spec, struct ordo_table **table)
{
    const struct cc_layout layout = {sizeof(struct hk_version), spec->ordered ? 0 : CC_HOME_WIDTH,
                                     sizeof(struct hk_anchor)};
    int code = cc_table_add(db, spec, &layout, table);
    if (!code && spec->dense)
        hk_fill_places(*table);
    return code;
}

/* Frees the versions of a dense table. */
static void hk_free_places(struct ordo_db *db, struct ordo_table *table)
{
    for (uint64_t key = 0; key < table->places.count; key++)
        cc_release(db, hk_at_place(table, key)->head, table->item_bytes);
}

static void hk_free_anchors(struct ordo_db *db, struct ordo_table *table)
{
    for (uint64_t i = 0; i < cc_hash_count(&table->hash); i++) {
        uintptr_t *bucket = cc_hash_bucket_at(&table->hash, i);
        for (struct cc_node *node = cc_hash_next(&table->hash, bucket, NULL), *next; node; node = next) {
            struct hk_anchor *anchor = (struct hk_anchor *)node;
            next = cc_hash_next(&table->hash, bucket, node);
            cc_release(db, anchor->head, table->item_bytes);
            hk_anchor_free(table, anchor);
        }
    }
    CC_UNPOISON(table->hash.buckets, cc_hash_bytes(&table->hash));
}

static void hk_free_arrays(struct ordo_db *db, struct hk_txn *txn)
{
    for (size_t i = 0; i < HK_GROWTHS; i++)
        cc_release(db, txn->outgrown[i], ((size_t)HK_READS << i) * sizeof *txn->reads);
    cc_release(db, txn->reads, txn->read_capacity * sizeof *txn->reads);
    cc_release(db, txn->misses, txn->miss_capacity * sizeof *txn->misses);
    cc_release(db, txn->writes, txn->write_capacity * sizeof *txn->writes);
    cc_release(db, txn->scans, txn->scan_capacity * sizeof *txn->scans);
}

static void hk_close(struct ordo_db *db)
{
    for (unsigned i = 0; i < db->options.workers; i++)
        if (db->places[i]) {
            hk_free_arrays(db, hk_txn(db->places[i]));
            hk_candidates_free(db, &((struct hk_worker *)db->places[i])->candidates);
            cc_worker_free(db->places[i], sizeof(struct hk_worker), hk_free_item);
        }
    for (unsigned i = 0; i < db->tables; i++) {
        if (hk_stays(db->table[i]))
            hk_free_places(db, db->table[i]);
        else
            hk_free_anchors(db, db->table[i]);
        cc_table_free(db, db->table[i]);
    }
    cc_close(db);
}

#define HK_ENGINE                                                                                                      \
    {                                                                                                                  \
        .name = "hekaton", .stamp = ORDO_STAMP_NAME,                                                                   \
        .levels = ORDO_TXN_SERIALIZABLE | ORDO_TXN_SNAPSHOT | ORDO_TXN_READ_ONLY, .scans = true, .open = hk_open,      \
        .close = hk_close, .table_add = hk_table_add, .raise = cc_raise, .join = hk_join, .leave = hk_leave,           \
        .audit = hk_audit, .begin = hk_begin, .prefetch = hk_prefetch, .read = hk_read_record, .view = hk_view,        \
        .update = hk_update, .insert = hk_insert, .remove = hk_remove, .scan = hk_scan_range, .commit = hk_commit,     \
        .rollback = hk_abort,                                                                                          \
    }

#endif
