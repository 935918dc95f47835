/* The audit of a database at rest: counts its items and its homes in two ways each, which must agree. The engine checks
 * the single entries of the index. */
#ifndef ORDO_CC_TXN_CORE_AUDIT_H
#define ORDO_CC_TXN_CORE_AUDIT_H

#include "base/error.h"
#include "cc/txn/core/home.h"

struct cc_audit {
    int64_t expected, present; /* expected: reachable or retired items; present: items taken from the pools */
    int64_t left, waiting;     /* left: homes without a key that are not vacant; waiting: retired homes */
};

/* Checks one entry of a database at rest. Returns NULL, or a description of the fault. */
typedef const char *cc_audit_entry(struct ordo_table *table, struct cc_node *node);

/* True if an entry of a dense table has an item from the pools. An entry of a hash index always has one. */
typedef bool cc_audit_has_item(const struct cc_node *node);

static int cc_audit_fault(const struct ordo_table *table, uint64_t key, const char *wrong, struct ordo_error *error)
{
    return wrong ? ordo_error_set(error, ORDO_E_MALFORMED, 0, "table %u, key %llu: %s", table->number,
                                  (unsigned long long)key, wrong)
                 : ORDO_OK;
}

static int cc_audit_bucket(struct ordo_table *table, uintptr_t *bucket, size_t claim_at, cc_audit_entry *entry,
                           struct cc_audit *audit, struct ordo_error *error)
{
    const struct cc_node *home = cc_hash_home(&table->hash, bucket);
    audit->left += home && home->key == CC_NO_KEY && *(const uint64_t *)(const void *)((const char *)home + claim_at);
    for (struct cc_node *node = NULL; (node = cc_hash_next(&table->hash, bucket, node));) {
        const char *wrong = cc_hash_find(&table->hash, node->key) == node
                                ? entry(table, node)
                                : "the record is in the index twice, or is not found";
        audit->expected++;
        if (cc_audit_fault(table, node->key, wrong, error))
            return ORDO_E_MALFORMED;
    }
    return ORDO_OK;
}

static int cc_audit_hash(struct ordo_table *table, size_t claim_at, cc_audit_entry *entry, struct cc_audit *audit,
                         struct ordo_error *error)
{
    for (uint64_t i = 0; i < cc_hash_count(&table->hash); i++)
        if (cc_audit_bucket(table, cc_hash_bucket_at(&table->hash, i), claim_at, entry, audit, error))
            return ORDO_E_MALFORMED;
    return ORDO_OK;
}

static int cc_audit_places(struct ordo_table *table, cc_audit_entry *entry, cc_audit_has_item *has_item,
                           struct cc_audit *audit, struct ordo_error *error)
{
    for (uint64_t key = 0; key < table->places.count; key++) {
        struct cc_node *node = cc_place(&table->places, key);
        audit->expected += has_item(node);
        if (cc_audit_fault(table, key, node->key == key ? entry(table, node) : "an entry has another key", error))
            return ORDO_E_MALFORMED;
    }
    return ORDO_OK;
}

/* Checks every entry of every table, and counts its item. `claim_at`: the offset of the claim in an entry. */
static int cc_audit_tables(struct ordo_db *db, size_t claim_at, cc_audit_entry *entry, cc_audit_has_item *has_item,
                           struct cc_audit *audit, struct ordo_error *error)
{
    for (unsigned t = 0; t < db->tables; t++)
        if (db->table[t]->places.first ? cc_audit_places(db->table[t], entry, has_item, audit, error)
                                       : cc_audit_hash(db->table[t], claim_at, entry, audit, error))
            return ORDO_E_MALFORMED;
    return ORDO_OK;
}

/* Counts the items that all workers have taken, and those that they have retired. `counts` is true if a retired object
 * is an item, `is_entry` if it is an entry of the index. */
static void cc_audit_workers(struct ordo_db *db, bool (*counts)(const struct cc_retired *retired),
                             bool (*is_entry)(const struct cc_retired *retired), struct cc_audit *audit)
{
    for (unsigned i = 0; i < db->options.workers; i++) {
        struct cc_worker *worker = db->places[i];
        if (!worker)
            continue;
        audit->present += worker->items;
        for (uint64_t at = worker->queue.head; at != worker->queue.tail; at++) {
            const struct cc_retired *retired = &worker->queue.ring[at & worker->queue.mask];
            audit->expected += counts(retired);
            audit->waiting += is_entry(retired) && cc_hash_is_home(&retired->table->hash, retired->item);
        }
    }
}

static int cc_audit_sums(const struct cc_audit *audit, const char *items, const char *entries, struct ordo_error *error)
{
    if (audit->expected != audit->present)
        return ordo_error_set(error, ORDO_E_MALFORMED, 0, "%lld %s are reachable or retired, %lld were taken",
                              (long long)audit->expected, items, (long long)audit->present);
    if (audit->left != audit->waiting)
        return ordo_error_set(error, ORDO_E_MALFORMED, 0, "%lld homes of %s were left, %lld wait to be vacant",
                              (long long)audit->left, entries, (long long)audit->waiting);
    return ORDO_OK;
}

#endif
