/* Frees retired items. */
#ifndef ORDO_CC_TXN_HEKATON_RETIRE_H
#define ORDO_CC_TXN_HEKATON_RETIRE_H

#include "cc/txn/hekaton/anchor.h"
#include "cc/txn/hekaton/inline.h"

/* Takes a deletion, the only version that a transaction can still find, off the chain of an anchor that stays at its
 * place, and drops the claim. The deletion then waits like the version of an aborted transaction (hk_roll_back): a
 * transaction that has loaded the head may be reading it. After that the key is missing without a version, as if its
 * anchor had left a hash index. It may be missing for the same transactions, because the deletion has waited as long as
 * such an anchor. A later insert finds no version below, but its time is larger than the deletion's: the deletion ended
 * before a time that was read 2B ago. */
static void hk_empty(struct cc_worker *worker, struct ordo_table *table, struct hk_anchor *anchor,
                     struct hk_version *tomb)
{
    /* Pairs with hk_head: no version is left. */
    __atomic_store_n(&anchor->head, NULL, __ATOMIC_RELEASE);
    hk_unclaim(anchor);
    cc_retire_item(worker, (struct cc_retired){cc_retire_time(worker).ticks, HK_TAG, tomb, table, HK_VERSION});
}

/* Ends the wait of one deletion of a record. If no other deletion of the record waits, and the record is still deleted,
 * takes its anchor out of the index. False: another transaction has the claim. The deletion then waits on, and keeps
 * the anchor from being freed.
 */
static bool hk_bury(struct cc_worker *worker, struct ordo_table *table, struct hk_anchor *anchor)
{
    if (!hk_try_claim(worker, anchor))
        return false;
    struct hk_version *head = hk_head(anchor);
    if (hk_forget_tomb(table, anchor) > 0 || !head->tomb) {
        hk_unclaim(anchor);
        return true;
    }
    if (hk_stays(table)) {
        hk_empty(worker, table, anchor, head);
        return true;
    }
    /* V3. Pairs with hk_claim: the anchor is given up. */
    __atomic_store_n(&anchor->writer, HK_DEAD, __ATOMIC_RELEASE);
    hk_anchor_unlink(table, anchor);
    cc_retire(worker, table, anchor, HK_ANCHOR, cc_retire_time(worker).ticks);
    return true;
}

static bool hk_free_item(struct cc_worker *worker, const struct cc_retired *retired)
{
    struct hk_anchor *anchor = retired->item;
    switch ((enum hk_kind)retired->kind) {
    case HK_VERSION:
    case HK_CUT:
        cc_item_put(worker, retired->table, retired->item);
        return true;
    case HK_ANCHOR:
        if (anchor->head)
            cc_item_put(worker, retired->table, anchor->head);
        hk_anchor_free(retired->table, anchor);
        return true;
    case HK_TOMB:
        return hk_bury(worker, retired->table, anchor);
    }
    return true;
}

#endif
