/* The single-version engines without their schemes: databases, workers, and the table of calls. */
#ifndef ORDO_CC_TXN_SINGLE_ENGINE_H
#define ORDO_CC_TXN_SINGLE_ENGINE_H

#include "cc/txn/single/audit.h"
#include "cc/txn/single/commit.h"
#include "cc/txn/single/execute.h"

static int sv_join(struct ordo_db *db, struct ordo_worker **result)
{
    return cc_join(db, sizeof(struct sv_worker), result);
}

static void sv_leave(struct ordo_worker *base)
{
    cc_leave(base, sv_free_item);
}

/* Prefetches the records of a dense table. */
static void sv_prefetch_places(const struct ordo_table *table, const uint64_t *keys, unsigned count, uint64_t updates)
{
    struct cc_ahead ahead[CC_KEYS_AHEAD];
    for (unsigned i = 0; i < count; i++) {
        bool is_place = keys[i] <= table->last_key;
        ahead[i] = (struct cc_ahead){is_place ? cc_place(&table->places, keys[i]) : NULL, table->places.stride,
                                     updates >> i & 1};
        cc_fetch_part(&ahead[i], 0, CC_FIRST);
    }
    cc_fetch_rest(ahead, count);
}

/* Prefetches many keys at once: first the buckets, then the first record of each chain, which is nearly always the
 * record of the key. If buckets have homes, only the buckets: most records are in homes, and checking which are not
 * would itself miss the cache. */
static void sv_prefetch(struct ordo_worker *base, struct ordo_table *table, const uint64_t *keys, unsigned count,
                        uint64_t updates)
{
    struct cc_ahead ahead[CC_KEYS_AHEAD];
    if (((struct cc_worker *)base)->doomed)
        return;
    count = count < CC_KEYS_AHEAD ? count : CC_KEYS_AHEAD;
    if (table->places.first) {
        sv_prefetch_places(table, keys, count, updates);
        return;
    }
    for (unsigned i = 0; i < count; i++)
        cc_fetch(cc_hash_bucket(&table->hash, keys[i]), 1, sv_has_homes(table) && updates >> i & 1);
    if (sv_has_homes(table))
        return;
    for (unsigned i = 0; i < count; i++) {
        struct cc_node *record = cc_hash_first(cc_hash_bucket(&table->hash, keys[i]));
        ahead[i] = (struct cc_ahead){record, table->item_bytes, updates >> i & 1};
        cc_fetch_part(&ahead[i], 0, CC_FIRST);
    }
    cc_fetch_rest(ahead, count);
}

/* ---- the database ---- */

static int sv_table_add(struct ordo_db *db, const struct ordo_table_spec *spec, struct ordo_table **table)
{
    const struct cc_layout layout = {sizeof(struct sv_record), sv_width(spec), sv_place_bytes(spec)};
    int code = cc_table_add(db, spec, &layout, table);
    if (!code && spec->dense)
        sv_fill_places(*table);
    return code;
}

static void sv_free_records(struct ordo_db *db, struct ordo_table *table)
{
    for (uint64_t i = 0; table->hash.buckets && i < cc_hash_count(&table->hash); i++)
        for (struct cc_node *node = cc_hash_first(cc_hash_bucket_at(&table->hash, i)), *next; node; node = next) {
            next = node->next;
            cc_release(db, node, table->item_bytes);
        }
    if (table->hash.buckets)
        CC_UNPOISON(table->hash.buckets, cc_hash_bytes(&table->hash));
}

static void sv_close(struct ordo_db *db)
{
    for (unsigned i = 0; i < db->options.workers; i++)
        if (db->places[i]) {
            struct sv_txn *txn = sv_txn(db->places[i]);
            cc_release(db, txn->reads, txn->read_capacity * sizeof *txn->reads);
            cc_release(db, txn->writes, txn->write_capacity * sizeof *txn->writes);
            cc_release(db, txn->views, txn->view_capacity * sizeof *txn->views);
            cc_worker_free(db->places[i], sizeof(struct sv_worker), sv_free_item);
        }
    for (unsigned t = 0; t < db->tables; t++) {
        sv_free_records(db, db->table[t]);
        cc_table_free(db, db->table[t]);
    }
    cc_close(db);
}

/* The members of a descriptor that all schemes share. */
#define SV_CALLS                                                                                                       \
    .levels = ORDO_TXN_SERIALIZABLE | ORDO_TXN_READ_ONLY, .close = sv_close, .table_add = sv_table_add,                \
    .raise = cc_raise, .join = sv_join, .leave = sv_leave, .audit = sv_audit, .begin = sv_begin,                       \
    .prefetch = sv_prefetch, .read = sv_read_record, .view = sv_look, .update = sv_update, .insert = sv_insert,        \
    .remove = sv_remove, .scan = sv_scan, .commit = sv_commit, .rollback = sv_abort

#endif
