/* What an anchor says of its newest version: its time, unless the version is a deletion, or one waits. So to read by key a
 * record that does not lie beside its version's header takes the anchor's line, which mostly is the bucket's (anchor.h), and
 * its own; scans look at the header still. In a table without an order, a record of at most HK_INLINE_BYTES is there too, and
 * takes the anchor's line alone.
 * After Cicada's inlining of versions (H. Lim et al., SIGMOD 2017), but a copy: the version itself is where it always is,
 * for views, for snapshots and for the chain.
 *
 * Time and copy are given by hk_inline alone: with the claim, when the newest version is on the head and its time is
 * decided, before the claim is dropped, and once for each version; I1: the copy first. A reader loads and names the head h,
 * loads the time and the bytes, looks for a claim (I2), and then looks at the time (I3) and at the head (I4) again
 * (hk_newest_inline). If there is no claim, and the same time and h again, the time and the bytes are those of h, and h was
 * the newest version at the look for the claim. Let v be the newest with a time at that look:
 *
 *  - Time and copy were v's all the while. Whoever has changed them since the time was loaded had the claim. If it still has
 *    that, it is found. If it has dropped it, the time is another one, for the times of a record's versions ascend.
 *  - h is v, which was on the head at that look. If h is older than v, or was taken away, the second look finds another
 *    one; if h is newer, it was not on the head yet. For a version comes to the head once, and leaves it for one below only
 *    when it is taken away; and its memory is not another version's before this transaction has ended (core.h, hazards.h),
 *    or, if that is READ_ONLY, before its walk has (prune.h). One on no walk may take v's bytes for another version's, and
 *    is right: v is what its snapshot needs, and it validates nothing.
 *
 * A writer that takes the claim after the look announces itself later still, and reads its clock then: it is one that a
 * load did not find PREPARING, and arguments 1 and 2 of types.h hold as for hk_visible and hk_newest.
 *
 * It must be certainly before the begin, or it is left to hk_pick. Then a snapshot sees that version too: it would be the
 * first that hk_visible looks at. A READ_ONLY transaction that copies does not say that it walks: it looks at the anchor and
 * at no version. Anchors are not pruned, and wait for the oldest transaction (prune.h). One that will look at the version's
 * record does say it, or h might be in memory of a writer by then. When the walk is over v stays: whoever overwrites it is
 * not before the snapshot, which needs it (hk_needs).
 *
 * I5: while a deletion waits the time is not there, for where it would be is their number; when none does any more, it is. */
#ifndef ORDO_CC_TXN_HEKATON_INLINE_H
#define ORDO_CC_TXN_HEKATON_INLINE_H

#include "cc/txn/copy.h"
#include "cc/txn/hekaton/chain.h"

static inline bool hk_is_inline(const struct ordo_table *table)
{
    return table->record_bytes <= HK_INLINE_BYTES && !table->list.first;
}

/* Whether an anchor has its newest version's time. A hint, but for the holder of the claim. */
static inline bool hk_tells(const struct hk_anchor *anchor)
{
    return !(__atomic_load_n(&anchor->inlined, __ATOMIC_RELAXED) & HK_TAG);
}

/* The newest version, named, by what its anchor says: that it is no deletion, and certainly before the begin. `record`: for
 * a copy of a record that is there too; or NULL. False: it does not say that, or may not any more; `record` is undefined.
 */
static inline bool hk_newest_inline(struct cc_worker *worker, struct hk_anchor *anchor, struct hk_version **version,
                                    void *record, size_t record_bytes)
{
    if (!hk_tells(anchor))
        return false;
    *version = hk_head(anchor);
    if (!hk_name(worker, anchor, *version))
        return false;
    /* Pairs with hk_set_inlined: the copy is that of this time, or a later one, and the version of this time is complete. */
    ordo_time begin = hk_time(__atomic_load_n(&anchor->inlined, __ATOMIC_ACQUIRE));
    if (!ordo_stamp_after(&worker->base.db->stamp, hk_time(hk_txn(worker)->begin), begin)) /* C3, C6 */
        return false;
    if (record)
        cc_copy_out(record, anchor->bytes, record_bytes);
    /* I2. Pairs with hk_unclaim: who changed the copy, and has dropped its claim, has changed the time. */
    if (__atomic_load_n(&anchor->writer, __ATOMIC_ACQUIRE))
        return false;
    /* I3. Relaxed: the load of the claim orders it. */
    if (__atomic_load_n(&anchor->inlined, __ATOMIC_RELAXED) != begin.ticks)
        return false;
    return hk_head(anchor) == *version; /* I4 */
}

/* ---- by the holder of the claim ---- */

/* The deletions that wait. */
static inline uint64_t hk_tombs(const struct hk_anchor *anchor)
{
    return hk_tells(anchor) ? 0 : anchor->inlined & ~HK_TAG;
}

static inline void hk_set_inlined(struct hk_anchor *anchor, uint64_t inlined)
{
    /* I1. Pairs with hk_newest_inline: whoever sees it sees the head that it belongs to, and the record there. */
    __atomic_store_n(&anchor->inlined, inlined, __ATOMIC_RELEASE);
}

/* Tells the anchor the time of the newest version, and the record, where it has room. `buried`: the version is a deletion
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

/* One deletion does not wait any more: how many do. After the last, the anchor tells of what was written above it. */
static inline uint64_t hk_forget_tomb(const struct ordo_table *table, struct hk_anchor *anchor)
{
    uint64_t tombs = hk_tombs(anchor) - 1;
    hk_set_inlined(anchor, HK_TAG | tombs);
    if (tombs == 0)
        hk_inline(table, anchor, hk_head(anchor), hk_begin_of(hk_head(anchor)), false);
    return tombs;
}

/* Of the newest version, which has its time: that time, whether it is a deletion, and its record; from the anchor's own
 * line, if they are there. */
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
