/* The structure at rest, checked. */
#ifndef ORDO_CC_TXN_SINGLE_AUDIT_H
#define ORDO_CC_TXN_SINGLE_AUDIT_H

#include "base/error.h"
#include "cc/txn/single/types.h"

/* What is counted in two ways. */
struct sv_audit {
    int64_t expected, present; /* records: reachable or retired, and taken */
    int64_t left, waiting;     /* homes that are neither a record's nor vacant, and those that are retired */
};

/* One record at rest; NULL, or what is wrong. */
static const char *sv_audit_record(struct ordo_table *table, const struct sv_record *record)
{
    if (cc_hash_find(&table->hash, record->node.key) != &record->node)
        return "the record is in the index twice, or is not found";
    if (record->word & SV_LOCK)
        return "a lock was left";
    if (record->word & SV_DEAD)
        return "a dead record is in the index";
    if ((record->word & SV_ABSENT) && !table->db->options.history)
        return "an absent record was left";
    return NULL;
}

static int sv_audit_bucket(struct ordo_table *table, uintptr_t *bucket, struct sv_audit *audit,
                           struct ordo_error *error)
{
    const struct sv_record *home = (struct sv_record *)cc_hash_home(&table->hash, bucket);
    audit->left += home && home->node.key == CC_NO_KEY && home->word;
    for (struct cc_node *node = NULL; (node = cc_hash_next(&table->hash, bucket, node));) {
        const char *wrong = sv_audit_record(table, (struct sv_record *)node);
        audit->expected++;
        if (wrong)
            return ordo_error_set(error, ORDO_E_MALFORMED, 0, "table %u, key %llu: %s", table->number,
                                  (unsigned long long)node->key, wrong);
    }
    return ORDO_OK;
}

static int sv_audit(struct ordo_db *db, struct ordo_error *error)
{
    struct sv_audit audit = {0};
    for (unsigned t = 0; t < db->tables; t++)
        for (uint64_t i = 0; i < cc_hash_count(&db->table[t]->hash); i++)
            if (sv_audit_bucket(db->table[t], cc_hash_bucket_at(&db->table[t]->hash, i), &audit, error))
                return ORDO_E_MALFORMED;
    for (unsigned i = 0; i < db->options.workers; i++) {
        struct cc_worker *worker = db->places[i];
        if (!worker)
            continue;
        audit.present += worker->items;
        audit.expected += (int64_t)(worker->queue.tail - worker->queue.head);
        for (uint64_t at = worker->queue.head; at != worker->queue.tail; at++) {
            const struct cc_retired *retired = &worker->queue.ring[at & worker->queue.mask];
            audit.waiting += cc_hash_is_home(&retired->table->hash, retired->item);
        }
    }
    if (audit.expected != audit.present)
        return ordo_error_set(error, ORDO_E_MALFORMED, 0, "%lld records are reachable or retired, %lld were taken",
                              (long long)audit.expected, (long long)audit.present);
    if (audit.left != audit.waiting)
        return ordo_error_set(error, ORDO_E_MALFORMED, 0, "%lld homes of records were left, %lld wait to be vacant",
                              (long long)audit.left, (long long)audit.waiting);
    return ORDO_OK;
}

#endif
