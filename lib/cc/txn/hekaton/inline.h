/* What an anchor says about its newest version: its time, unless the version is a deletion or a deletion waits. A read
 * by key of a record that is not on the line of its version's header then takes the anchor's line, which mostly is the
 * bucket's (anchor.h), and the record's own; range scans still read the header. In an unordered table, a record of at
 * most HK_INLINE_BYTES has a copy in the anchor, and a read takes the anchor's line alone. After Cicada's inlining of
 * versions (H. Lim et al., SIGMOD 2017), but a copy: the version itself is always in its usual place, for views, for
 * snapshots and for the chain.
 *
 * hk_inline alone sets the time and the copy: with the claim, when the newest version is the head and its time is
 * decided, before the claim is dropped, and once for each version; I1: the copy first. A reader loads and names the
 * head h, loads the time and the bytes, checks that there is no claim (I2), and then checks the time (I3) and the head
 * (I4) again (hk_newest_inline). If there is no claim, and the time and h are the same, then the time and the bytes are
 * those of h, and h was the newest version when the claim was checked. Let v be the newest version with a time at that
 * check:
 *
 *  - Time and copy were v's all the while. A transaction that has changed them since the time was loaded had the claim.
 *    If it still has the claim, I2 finds it. If it has dropped the claim, the time is another one, because the times of
 *    a record's versions ascend.
 *  - h is v, which was the head at that check. If h is older than v, or was removed, the second load finds another
 *    head; if h is newer, it was not the head yet. For a version is put on the head once, and the head moves from a
 *    version to the one below only when the upper one is removed; and its memory does not become another version's
 *    before this transaction has ended (core.h, hazards.h) or, if the transaction is READ_ONLY, before its walk has
 *    ended (prune.h). A READ_ONLY transaction on no walk may take v's bytes for another version's, and is right: its
 *    snapshot needs v, and it validates nothing.
 *
 * A writer that takes the claim after the check announces itself later still, and reads its clock then. A load did not
 * find this writer PREPARING, so arguments 1 and 2 of types.h hold as for hk_visible and hk_newest.
 *
 * The time must be certainly before the begin; otherwise hk_pick reads. Then a snapshot sees that version too, because
 * it is the first one that hk_visible would meet. A READ_ONLY transaction that copies does not announce a walk: it
 * accesses the anchor and no version. Anchors are not pruned, and wait for the oldest transaction (prune.h). A
 * READ_ONLY transaction that will access the version's record does announce a walk, or h might be in memory of a writer
 * by then. When the walk is over, v stays: a transaction that overwrites v is not before the snapshot, which needs v
 * (hk_needs).
 *
 * I5: while deletions wait, the anchor has their number in place of the time; when none waits any more, it has the
 * time. */
#ifndef ORDO_CC_TXN_HEKATON_INLINE_H
#define ORDO_CC_TXN_HEKATON_INLINE_H

#include "cc/txn/copy.h"
#include "cc/txn/hekaton/chain.h"

static inline bool hk_is_inline(const struct ordo_table *table)
{
    return table->record_bytes <= HK_INLINE_BYTES && !table->list.first;
}

/* True if an anchor has its newest version's time. A hint, except for the holder of the claim. */
static inline bool hk_tells(const struct hk_anchor *anchor)
{
    return !(__atomic_load_n(&anchor->inlined, __ATOMIC_RELAXED) & HK_TAG);
}

/* Finds the newest version, and names it, by the anchor alone: a version that is no deletion and is certainly before
 * the begin. Copies its record to `record`, unless that is NULL; the anchor must have a copy. False: the anchor does
 * not say this, or no longer; `record` is undefined.
 */
static inline bool hk_newest_inline(struct cc_worker *worker, struct hk_anchor *anchor, struct hk_version **version,
                                    void *record, size_t record_bytes)
{
    if (!hk_tells(anchor))
        return false;
    *version = hk_head(anchor);
    if (!hk_name(worker, anchor, *version))
        return false;
    /* Pairs with hk_set_inlined: the copy is that of this time, or a later one, and its version is complete. */
    ordo_time begin = hk_time(__atomic_load_n(&anchor->inlined, __ATOMIC_ACQUIRE));
    if (!ordo_stamp_after(&worker->base.db->stamp, hk_time(hk_txn(worker)->begin), begin)) /* C3, C6 */
        return false;
    if (record)
        cc_copy_out(record, anchor->bytes, record_bytes);
    /* I2. Pairs with hk_unclaim: a writer that changed the copy and has dropped its claim has changed the time. */
    if (__atomic_load_n(&anchor->writer, __ATOMIC_ACQUIRE))
        return false;
    /* I3. Relaxed: the load of the claim orders it. */
    if (__atomic_load_n(&anchor->inlined, __ATOMIC_RELAXED) != begin.ticks)
        return false;
    return hk_head(anchor) == *version; /* I4 */
}

/* ---- for the holder of the claim ---- */

/* Returns the number of deletions that wait. */
static inline uint64_t hk_tombs(const struct hk_anchor *anchor)
{
    return hk_tells(anchor) ? 0 : anchor->inlined & ~HK_TAG;
}

static inline void hk_set_inlined(struct hk_anchor *anchor, uint64_t inlined)
{
    /* I1. Pairs with hk_newest_inline: a reader that sees it sees the head that belongs to it, and the record there. */
    __atomic_store_n(&anchor->inlined, inlined, __ATOMIC_RELEASE);
}

/* Tells the anchor the time of the newest version, and the record if there is room. `buried`: the version is a deletion
 * that will wait. */
static inline void hk_inline(const struct ordo_table *table, struct hk_anchor *anchor, struct hk_version *newest,
                             uint64_t begin, bool buried)
{
    uint64_t tombs = hk_tombs(anchor) + buried;
    bool tells = !newest->tomb && tombs == 0; /* I5 */
    if (tells && hk_is_inline(table))
        cc_copy_in(anchor->bytes, cc_record(table, newest), table->record_bytes);
    hk_set_inlined(anchor, tells ? begin : HK_TAG | tombs);
}

/* Counts one deletion less that waits, and returns their number. After the last, the anchor has the time of the version
 * above. */
static inline uint64_t hk_forget_tomb(const struct ordo_table *table, struct hk_anchor *anchor)
{
    uint64_t tombs = hk_tombs(anchor) - 1;
    hk_set_inlined(anchor, HK_TAG | tombs);
    if (tombs == 0)
        hk_inline(table, anchor, hk_head(anchor), hk_begin_of(hk_head(anchor)), false);
    return tombs;
}

/* These return the time of the newest version, which has one, whether it is a deletion, and its record; from the
 * anchor's own line if they are there. */
static inline uint64_t hk_claimed_begin(struct hk_anchor *anchor, struct hk_version *newest)
{
    return hk_tells(anchor) ? anchor->inlined : hk_begin_of(newest);
}

static inline bool hk_claimed_tomb(const struct hk_anchor *anchor, const struct hk_version *newest)
{
    return !hk_tells(anchor) && newest->tomb;
}

static inline const void *hk_claimed_record(const struct ordo_table *table, struct hk_anchor *anchor,
                                            struct hk_version *newest)
{
    return hk_tells(anchor) && hk_is_inline(table) ? anchor->bytes : cc_record(table, newest);
}

#endif
