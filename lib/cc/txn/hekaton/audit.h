/* The structure at rest, checked. */
#ifndef ORDO_CC_TXN_HEKATON_AUDIT_H
#define ORDO_CC_TXN_HEKATON_AUDIT_H

#include "base/error.h"
#include "cc/txn/hekaton/anchor.h"
#include "cc/txn/hekaton/inline.h"

/* What is counted in two ways. */
struct hk_audit {
    int64_t expected, present; /* versions: reachable or retired, and taken */
    int64_t left, waiting;     /* homes that are neither an anchor's nor vacant, and those that are retired */
};

/* One record at rest; NULL, or what is wrong. */
static const char *hk_audit_anchor(struct ordo_table *table, struct hk_anchor *anchor)
{
    const struct hk_version *version = anchor->head;
    if (hk_find(table, anchor->node.key) != anchor)
        return "the record is in the index twice, or is not found";
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

static int hk_audit_bucket(struct ordo_table *table, uintptr_t *bucket, struct hk_audit *audit,
                           struct ordo_error *error)
{
    const struct hk_anchor *home = (struct hk_anchor *)cc_hash_home(&table->hash, bucket);
    audit->left += home && home->node.key == CC_NO_KEY && home->writer;
    for (struct cc_node *node = NULL; (node = cc_hash_next(&table->hash, bucket, node));) {
        const char *wrong = hk_audit_anchor(table, (struct hk_anchor *)node);
        audit->expected++;
        if (wrong)
            return ordo_error_set(error, ORDO_E_MALFORMED, 0, "table %u, key %llu: %s", table->number,
                                  (unsigned long long)node->key, wrong);
    }
    return ORDO_OK;
}

static void hk_audit_retired(const struct cc_retired *retired, struct hk_audit *audit)
{
    const struct hk_anchor *anchor = retired->item;
    bool is_anchor = retired->kind == HK_ANCHOR;
    audit->expected += retired->kind == HK_VERSION || retired->kind == HK_CUT || (is_anchor && anchor->head);
    audit->waiting += is_anchor && cc_hash_is_home(&retired->table->hash, &anchor->node);
}

static int hk_audit(struct ordo_db *db, struct ordo_error *error)
{
    struct hk_audit audit = {0};
    for (unsigned t = 0; t < db->tables; t++)
        for (uint64_t i = 0; i < cc_hash_count(&db->table[t]->hash); i++)
            if (hk_audit_bucket(db->table[t], cc_hash_bucket_at(&db->table[t]->hash, i), &audit, error))
                return ORDO_E_MALFORMED;
    for (unsigned i = 0; i < db->options.workers; i++) {
        struct cc_worker *worker = db->places[i];
        if (!worker)
            continue;
        audit.present += worker->items;
        for (uint64_t at = worker->queue.head; at != worker->queue.tail; at++)
            hk_audit_retired(&worker->queue.ring[at & worker->queue.mask], &audit);
    }
    if (audit.expected != audit.present)
        return ordo_error_set(error, ORDO_E_MALFORMED, 0, "%lld versions are reachable or retired, %lld were taken",
                              (long long)audit.expected, (long long)audit.present);
    if (audit.left != audit.waiting)
        return ordo_error_set(error, ORDO_E_MALFORMED, 0, "%lld homes of anchors were left, %lld wait to be vacant",
                              (long long)audit.left, (long long)audit.waiting);
    return ORDO_OK;
}

#endif
