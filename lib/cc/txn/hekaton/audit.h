/* The audit of a database at rest. */
#ifndef ORDO_CC_TXN_HEKATON_AUDIT_H
#define ORDO_CC_TXN_HEKATON_AUDIT_H

#include "cc/txn/core/audit.h"
#include "cc/txn/hekaton/anchor.h"
#include "cc/txn/hekaton/inline.h"

/* Checks an anchor without a version. */
static const char *hk_audit_empty(const struct hk_anchor *anchor)
{
    return anchor->inlined == HK_TAG ? NULL : "a missing record has a time, or its deletions wait";
}

static const char *hk_audit_anchor(struct ordo_table *table, struct cc_node *node)
{
    struct hk_anchor *anchor = (struct hk_anchor *)node;
    const struct hk_version *version = anchor->head;
    if (anchor->writer)
        return "a claim was left";
    if (!version)
        return hk_stays(table) ? hk_audit_empty(anchor) : "a record without a version";
    if (version->begin & HK_TAG)
        return "the newest version is of a transaction that has not ended";
    if (hk_tells(anchor) &&
        (version->tomb || anchor->inlined != version->begin ||
         (hk_is_inline(table) && memcmp(anchor->bytes, cc_record(table, anchor->head), table->record_bytes) != 0)))
        return "what the anchor says of the newest version is not so";
    return NULL;
}

static bool hk_audit_has_item(const struct cc_node *node)
{
    return ((const struct hk_anchor *)node)->head;
}

static bool hk_audit_is_anchor(const struct cc_retired *retired)
{
    return retired->kind == HK_ANCHOR;
}

/* True if the retired item is a version, or an anchor that still has a version. */
static bool hk_audit_is_version(const struct cc_retired *retired)
{
    const struct hk_anchor *anchor = retired->item;
    return retired->kind == HK_VERSION || retired->kind == HK_CUT || (hk_audit_is_anchor(retired) && anchor->head);
}

static int hk_audit(struct ordo_db *db, struct ordo_error *error)
{
    struct cc_audit audit = {0};
    if (cc_audit_tables(db, offsetof(struct hk_anchor, writer), hk_audit_anchor, hk_audit_has_item, &audit, error))
        return ORDO_E_MALFORMED;
    cc_audit_workers(db, hk_audit_is_version, hk_audit_is_anchor, &audit);
    return cc_audit_sums(&audit, "versions", "anchors", error);
}

#endif
