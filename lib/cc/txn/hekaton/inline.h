/* The data about the newest version that its anchor contains. The anchor has the version's time, unless the version is
 * a deletion or a deletion waits. A read by key then loads the anchor's line, which mostly is the bucket's line
 * (anchor.h), and the lines of the record, but not the line of the version's header if the record is on other lines.
 * Range scans still read the header. In an unordered table, the anchor also has a copy of a record of at most
 * HK_INLINE_BYTES, and a read loads the anchor's line alone. This follows Cicada's inlining of versions (H. Lim et al.,
 * SIGMOD 2017), but is a copy: the version itself always has its own memory, for views, for snapshots and for the
 * chain.
 *
 * Only hk_inline sets the time and the copy, once for each version. Its caller has the claim and drops it afterwards;
 * the newest version is the head, and its time is decided. I1: the copy is stored before the time. A reader loads and
 * names the head h, loads the time and the bytes, checks that there is no claim (I2), and then checks that the time
 * (I3) and the head (I4) have not changed (hk_newest_inline). If all three checks succeed, the time and the bytes are
 * those of h, and h was the newest version when the claim was checked. For let v be the newest version that had a time
 * when the claim was checked:
 *
 *  - The time and the copy belonged to v from the load of the time to the check of the claim. A transaction that
 *    changed them after that load had the claim. If it still has the claim, I2 fails. If it has dropped the claim, I3
 *    fails, because the times of a record's versions ascend.
 *  - h is v. When the claim was checked, v was the head. If h is older than v, or was removed, I4 fails; and h is not
 *    newer than v, because a newer version was not the head yet. This holds because a version becomes the head at most
 *    once, and the head moves from a version to the version below, or to none, only when the upper version is removed.
 *    Also, the
 *    memory of h is not reused for another version before this transaction has ended (core.h, hazards.h) or, if the
 *    transaction is READ_ONLY, before its walk has ended (prune.h). A READ_ONLY transaction on no walk may take the
 *    bytes of v for those of another version. The bytes are right nevertheless: its snapshot needs v, and it validates
 *    nothing.
 *
 * A writer that takes the claim after I2 announces its end after that, and then reads its clock. So the reader has made
 * a load that did not find this writer PREPARING, and arguments 1 and 2 of types.h hold as for hk_visible and
 * hk_newest.
 *
 * The time must be certainly before the begin of the reader; otherwise hk_pick searches the chain. If it is, a snapshot
 * sees the same version, because this is the first version that hk_visible would meet. A READ_ONLY transaction that
 * copies the bytes announces no walk, because it accesses the anchor but no version. Anchors are not pruned, and wait
 * for the oldest transaction (prune.h). A READ_ONLY transaction that will access the version's record does announce a
 * walk, because a writer might otherwise have reused the memory of h by then. After the walk, v stays: a transaction
 * that overwrites v is not before the snapshot, so the snapshot needs v (hk_needs).
 *
 * I5: while deletions of the record wait, the anchor has their number instead of the time. When no deletion waits any
 * more, it has the time. */
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

/* Finds and names the newest version by the anchor alone, if this version is no deletion and is certainly before the
 * begin. Copies the anchor's copy of the record to `record`, unless `record` is NULL. False: the anchor does not have
 * the time, or a check failed; `record` is undefined.
 */
static inline bool hk_newest_inline(struct cc_worker *worker, struct hk_anchor *anchor, struct hk_version **version,
                                    void *record, size_t record_bytes)
{
    if (!hk_tells(anchor))
        return false;
    *version = hk_head(anchor);
    if (!hk_name(worker, anchor, *version))
        return false;
    /* Pairs with hk_set_inlined: the copy belongs to this time or to a later one, and its version is complete. */
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

/* Returns the number of the record's deletions that wait in queues. */
static inline uint64_t hk_tombs(const struct hk_anchor *anchor)
{
    return hk_tells(anchor) ? 0 : anchor->inlined & ~HK_TAG;
}

static inline void hk_set_inlined(struct hk_anchor *anchor, uint64_t inlined)
{
    /* I1. Pairs with hk_newest_inline: a reader that sees this time sees its version as the head, and the copy of its
     * record. */
    __atomic_store_n(&anchor->inlined, inlined, __ATOMIC_RELEASE);
}

/* Copies the time of the newest version to the anchor, and the record if it is small. `buried`: the version is a
 * deletion that will wait. */
static inline void hk_inline(const struct ordo_table *table, struct hk_anchor *anchor, struct hk_version *newest,
                             uint64_t begin, bool buried)
{
    uint64_t tombs = hk_tombs(anchor) + buried;
    bool tells = !newest->tomb && tombs == 0; /* I5 */
    if (tells && hk_is_inline(table))
        cc_copy_in(anchor->bytes, cc_record(table, newest), table->record_bytes);
    hk_set_inlined(anchor, tells ? begin : HK_TAG | tombs);
}

/* Decrements the number of waiting deletions, and returns the new number. If this is 0, the anchor gets the time of the
 * newest version, unless that version is a deletion. */
static inline uint64_t hk_forget_tomb(const struct ordo_table *table, struct hk_anchor *anchor)
{
    uint64_t tombs = hk_tombs(anchor) - 1;
    hk_set_inlined(anchor, HK_TAG | tombs);
    if (tombs == 0)
        hk_inline(table, anchor, hk_head(anchor), hk_begin_of(hk_head(anchor)), false);
    return tombs;
}

/* For the holder of the claim: the next three functions return the time of the newest version, whether it is a
 * deletion, and its record. The version must have its time. They read the anchor's line if the answer is there. */
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
