/* The audit of a database at rest. */
#ifndef ORDO_CC_TXN_SINGLE_AUDIT_H
#define ORDO_CC_TXN_SINGLE_AUDIT_H

#include "cc/txn/core/audit.h"
#include "cc/txn/single/hold.h"

static const char *sv_audit_record(struct ordo_table *table, struct cc_node *node)
{
    uint64_t word = ((const struct sv_record *)node)->word;
    if (word & SV_LOCK)
        return "a lock was left";
    if (word & SV_DEAD)
        return "a dead record is in the index";
    if ((word & SV_ABSENT) && !sv_stays(table))
        return "an absent record was left";
    return NULL;
}

/* The records of a dense table are not items: they are in its array. */
static bool sv_audit_has_item(const struct cc_node *node)
{
    (void)node;
    return false;
}

/* Every retired item is a record. */
static bool sv_audit_is_record(const struct cc_retired *retired)
{
    (void)retired;
    return true;
}

static int sv_audit(struct ordo_db *db, struct ordo_error *error)
{
    struct cc_audit audit = {0};
    if (cc_audit_tables(db, offsetof(struct sv_record, word), sv_audit_record, sv_audit_has_item, &audit, error))
        return ORDO_E_MALFORMED;
    cc_audit_workers(db, sv_audit_is_record, sv_audit_is_record, &audit);
    return cc_audit_sums(&audit, "records", "records", error);
}

#endif
