/* Small records in their anchors: in a table without an order, a record of at most HK_INLINE_BYTES is also on the line of
 * its anchor, with the time of its version, so that to read it takes two lines, the bucket's and this one, as in an
 * engine with one version. After Cicada's inlining of versions (H. Lim et al., SIGMOD 2017), but a copy: the version
 * itself is where it always is, for views, for snapshots and for the chain.
 *
 * The copy is changed by hk_inline alone: with the claim, when the writer's version is on the head and has its time, and
 * before the claim is dropped. A reader loads and names the head h, loads the time and the bytes, looks for a claim, and then
 * looks at the time and at the head again (hk_copy_inline). If there is no claim, and the same time and h again, the bytes and the time
 * are those of h, and h was the newest version at the look for the claim. Let v be the newest with a time at that look:
 *
 *  - The copy was v's all the while. Whoever has changed it since its time was loaded had the claim. If it still has that,
 *    it is found. If it has dropped it, the time is another one, for the times of a record's versions ascend.
 *  - h is v, which was on the head at that look. If h is older than v, or was taken away, the second look finds another
 *    one; if h is newer, it was not on the head yet. For a version comes to the head once, and leaves it for one below only
 *    when it is taken away; and its memory is not another version's before this transaction has ended (core.h, hazards.h),
 *    unless that is READ_ONLY and on no walk (prune.h). Such a one may take v's bytes for another version's, and is right: v is what its
 *    snapshot needs, and it validates nothing.
 *
 * A writer that takes the claim after the look announces itself later still, and reads its clock then: it is one that a
 * load did not find PREPARING, and argument 1 of types.h holds as for hk_newest and hk_visible.
 *
 * It must be certainly before the begin, or it is left to hk_pick. Then a snapshot sees that version too: it would be the
 * first that hk_visible looks at. A READ_ONLY transaction does not say that it walks: it looks at the anchor and at no
 * version. Anchors are not pruned, and wait for the oldest transaction (prune.h).
 *
 * A deletion leaves no copy, and while one waits there is none, for the place of the time has their number. */
#ifndef ORDO_CC_TXN_HEKATON_INLINE_H
#define ORDO_CC_TXN_HEKATON_INLINE_H

#include "cc/txn/copy.h"
#include "cc/txn/hekaton/chain.h"

static inline bool hk_is_inline(const struct ordo_table *table)
{
    return table->record_bytes <= HK_INLINE_BYTES && !table->list.first;
}

/* Copies a record that is in its anchor and certainly before the begin, and gives its version. Whether that was so;
 * `record` is undefined otherwise. */
static inline bool hk_copy_inline(struct cc_worker *worker, struct hk_anchor *anchor, struct hk_version **version,
                                  void *record)
{
    *version = hk_head(anchor);
    if (!hk_name(worker, anchor, *version))
        return false;
    /* Pairs with hk_inline: the copy is that of this time, or a later one. */
    ordo_time begin = hk_time(__atomic_load_n(&anchor->inlined, __ATOMIC_ACQUIRE));
    if (!ordo_stamp_after(&worker->base.db->stamp, hk_time(hk_txn(worker)->begin), begin)) /* C3, C6 */
        return false;
    cc_copy_out(record, anchor->bytes, HK_INLINE_BYTES);
    /* Pairs with hk_unclaim: who changed the copy, and has dropped its claim, has changed the time. */
    if (__atomic_load_n(&anchor->writer, __ATOMIC_ACQUIRE))
        return false;
    /* Relaxed: the load of the claim orders it. */
    if (__atomic_load_n(&anchor->inlined, __ATOMIC_RELAXED) != begin.ticks)
        return false;
    return hk_head(anchor) == *version;
}

/* ---- by the holder of the claim ---- */

/* The deletions that wait. */
static inline uint64_t hk_tombs(const struct hk_anchor *anchor)
{
    return anchor->inlined & HK_TAG ? anchor->inlined & ~HK_TAG : 0;
}

static inline void hk_set_inlined(struct hk_anchor *anchor, uint64_t inlined)
{
    /* Pairs with hk_copy_inline: whoever sees it sees the head that it belongs to. */
    __atomic_store_n(&anchor->inlined, inlined, __ATOMIC_RELEASE);
}

/* One deletion does not wait any more: how many do. */
static inline uint64_t hk_forget_tomb(struct hk_anchor *anchor)
{
    hk_set_inlined(anchor, HK_TAG | (hk_tombs(anchor) - 1));
    return hk_tombs(anchor);
}

/* Puts the record of the newest version into its anchor, where it has room. `buried`: the version is a deletion that will
 * wait. */
static inline void hk_inline(const struct ordo_table *table, struct hk_anchor *anchor, struct hk_version *newest,
                             uint64_t begin, bool buried)
{
    uint64_t tombs = hk_tombs(anchor) + buried;
    bool fits = hk_is_inline(table) && !newest->tomb && tombs == 0;
    if (fits)
        cc_copy_in(anchor->bytes, cc_record(table, newest), HK_INLINE_BYTES);
    hk_set_inlined(anchor, fits ? begin : HK_TAG | tombs);
}

/* Of the newest version, which has its time: that time, whether it is a deletion, and its record; from the anchor's own
 * line, if they are there. */
static inline uint64_t hk_claimed_begin(struct hk_anchor *anchor, struct hk_version *newest)
{
    return anchor->inlined & HK_TAG ? hk_begin_of(newest) : anchor->inlined;
}

static inline bool hk_claimed_tomb(const struct hk_anchor *anchor, const struct hk_version *newest)
{
    return (anchor->inlined & HK_TAG) && newest->tomb;
}

static inline const void *hk_claimed_record(const struct ordo_table *table, struct hk_anchor *anchor,
                                            struct hk_version *newest)
{
    return anchor->inlined & HK_TAG ? cc_record(table, newest) : anchor->bytes;
}

#endif
