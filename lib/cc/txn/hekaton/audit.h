/* The structure at rest, checked. */
#ifndef ORDO_CC_TXN_HEKATON_AUDIT_H
#define ORDO_CC_TXN_HEKATON_AUDIT_H

#include "base/error.h"
#include "cc/txn/hekaton/inline.h"

/* One record at rest; NULL, or what is wrong. */
static const char *hk_audit_anchor(struct ordo_table *table, struct hk_anchor *anchor)
{
    const struct hk_version *version = anchor->head;
    if (anchor->writer)
        return "a claim was left";
    if (!version)
        return "a record without a version";
    if (version->begin & HK_TAG)
        return "the newest version is of a transaction that has not ended";
    if (hk_tells(anchor) &&
        (version->tomb || anchor->inlined != version->begin ||
         (hk_is_inline(table) && memcmp(anchor->bytes, cc_record(table, anchor->head), table->record_bytes) != 0)))
        return "what the anchor says of the newest version is not so";
    return NULL;
}

static int hk_audit(struct ordo_db *db, struct ordo_error *error)
{
    int64_t expected = 0, present = 0;
    for (unsigned t = 0; t < db->tables; t++)
        for (uint64_t i = 0; i < cc_hash_count(&db->table[t]->hash); i++) {
            uintptr_t *bucket = cc_hash_bucket_at(&db->table[t]->hash, i);
            for (struct cc_node *node = NULL; (node = cc_hash_next(&db->table[t]->hash, bucket, node));) {
                const char *wrong = hk_audit_anchor(db->table[t], (struct hk_anchor *)node);
                expected++;
                if (wrong)
                    return ordo_error_set(error, ORDO_E_MALFORMED, 0, "table %u, key %llu: %s", t,
                                          (unsigned long long)node->key, wrong);
            }
        }
    for (unsigned i = 0; i < db->options.workers; i++) {
        struct cc_worker *worker = db->places[i];
        if (!worker)
            continue;
        present += worker->items;
        for (uint64_t at = worker->queue.head; at != worker->queue.tail; at++) {
            const struct cc_retired *retired = &worker->queue.ring[at & worker->queue.mask];
            const struct hk_anchor *anchor = retired->item;
            expected +=
                retired->kind == HK_VERSION || retired->kind == HK_CUT || (retired->kind == HK_ANCHOR && anchor->head);
        }
    }
    if (expected != present)
        return ordo_error_set(error, ORDO_E_MALFORMED, 0, "%lld versions are reachable or retired, %lld were taken",
                              (long long)expected, (long long)present);
    return ORDO_OK;
}

#endif
