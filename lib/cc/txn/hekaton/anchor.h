/* Where the anchor of a record lies, and for how long. In a table without an order each bucket has a place for one anchor,
 * after the inlining of Cicada (H. Lim et al., SIGMOD 2017): what a transaction reads by such an anchor is not one line more,
 * in another place of memory. Most of the buckets stay empty, and four of five records or more have one; a record takes the
 * place if it finds it vacant. In a table with an order, a scan reads one anchor after another, which had better lie in
 * the order in which they came.
 *
 * A place is memory of an anchor like any other, but for one thing: whoever looks for a key of the bucket comes to it, without
 * regard to C10. It looks at the key, which alone says whose the place is, and at no more unless that is the one; whoever
 * inserts, also at the claim of a place without a key.
 *
 *    vacant    CC_NO_KEY, and no claim.
 *    taken     a key, which is stored last (hk_anchor_at_home): under the lock of the bucket, where that key was not found.
 *    left      CC_NO_KEY (cc_hash_remove), and the claim HK_DEAD. A transaction that found the key before may look at all the
 *              rest, as long as it lasts. Not at the key: it knows that itself, or has the claim.
 *    vacant    when C10 lets anchors go (hk_anchor_free). The claim is dropped last.
 *
 * So an anchor that a transaction holds does not become another key's before the transaction has ended, and all that is said
 * of anchors that have left the index holds: it stays dead, and its record deleted. A key that had its anchor in the chain may
 * have it in the bucket the next time, or the other way round. A search, first of the place and then of the chain, may meet
 * neither. Then the former had left, and the latter was not there yet, at some moment of the search, which a search of a chain
 * alone may find too. There are never both, since whoever adds one has looked at the place and at the chain under the lock. */
#ifndef ORDO_CC_TXN_HEKATON_ANCHOR_H
#define ORDO_CC_TXN_HEKATON_ANCHOR_H

#include "cc/txn/hekaton/types.h"

/* What is in an anchor from `head` on: while its place is vacant nobody may look at that, and AddressSanitizer reports who does. */
#define HK_ANCHOR_REST (sizeof(struct hk_anchor) - offsetof(struct hk_anchor, head))

static inline struct hk_anchor *hk_find(struct ordo_table *table, uint64_t key)
{
    return (struct hk_anchor *)cc_hash_find(&table->hash, key);
}

/* Of an anchor of that table, with so many links. */
static inline size_t hk_anchor_bytes_of(const struct ordo_table *table, unsigned height)
{
    size_t links_at = offsetof(struct hk_anchor, tower) + sizeof(struct cc_tower);
    return table->list.first ? (links_at + height * sizeof(struct cc_tower *) + 63) / 64 * 64
                             : sizeof(struct hk_anchor);
}

static inline size_t hk_anchor_bytes(const struct ordo_table *table, const struct hk_anchor *anchor)
{
    return hk_anchor_bytes_of(table, table->list.first ? anchor->tower.height : 0);
}

/* With `head` as its only version, claimed by the transaction. */
static void hk_anchor_fill(struct cc_worker *worker, struct hk_anchor *anchor, struct hk_version *head)
{
    /* Atomic, for those who ask whether the place is vacant; relaxed, for whoever adds the anchor publishes it. */
    __atomic_store_n(&anchor->writer, worker->id, __ATOMIC_RELAXED);
    anchor->head = head;
    anchor->inlined = HK_TAG;
    head->anchor = anchor;
}

static struct hk_anchor *hk_anchor_new(struct cc_worker *worker, struct ordo_table *table, uint64_t key,
                                       struct hk_version *head)
{
    unsigned height = 0;
    if (table->list.first) {
        uint64_t seed = key * 2 + table->list.random;
        height = cc_list_height(&seed);
    }
    struct hk_anchor *anchor = cc_allocate(table->db, 64, hk_anchor_bytes_of(table, height));
    if (!anchor)
        return NULL;
    anchor->node.key = key;
    if (table->list.first) {
        anchor->tower.key = key;
        anchor->tower.height = height;
    }
    hk_anchor_fill(worker, anchor, head);
    return anchor;
}

static bool hk_anchor_is_vacant(struct hk_anchor *home)
{
    return cc_hash_is_at(&home->node, CC_NO_KEY) &&
           __atomic_load_n(&home->writer, __ATOMIC_ACQUIRE) == 0; /* pairs with hk_anchor_free: nobody uses it */
}

/* Adds an anchor for `key` in the place of its bucket, with `head` as its only version, claimed by the transaction. NULL: the
 * place is not vacant, or the key is in the index. */
static struct hk_anchor *hk_anchor_at_home(struct cc_worker *worker, struct ordo_table *table, uint64_t key,
                                           struct hk_version *head)
{
    uintptr_t *bucket = cc_hash_bucket(&table->hash, key);
    struct hk_anchor *home = (struct hk_anchor *)cc_hash_home(&table->hash, bucket);
    if (!home || !hk_anchor_is_vacant(home)) /* a hint, without the lock */
        return NULL;
    cc_hash_lock(bucket);
    bool takes = hk_anchor_is_vacant(home) && !cc_hash_find(&table->hash, key);
    if (takes) {
        CC_UNPOISON(&home->head, HK_ANCHOR_REST);
        hk_anchor_fill(worker, home, head);
        cc_hash_settle(&home->node, key);
    }
    cc_hash_unlock(bucket, cc_hash_first(bucket));
    return takes ? home : NULL;
}

/* Takes an anchor out of the indices, with the claim HK_DEAD. */
static void hk_anchor_unlink(struct ordo_table *table, struct hk_anchor *anchor)
{
    cc_hash_remove(&table->hash, &anchor->node);
    if (table->list.first)
        cc_list_remove(&table->list, &anchor->tower);
}

/* Gives its memory back, which nobody uses any more. */
static void hk_anchor_free(struct ordo_table *table, struct hk_anchor *anchor)
{
    if (!cc_hash_is_home(&table->hash, &anchor->node)) {
        cc_release(table->db, anchor, hk_anchor_bytes(table, anchor));
        return;
    }
    CC_POISON(&anchor->head, HK_ANCHOR_REST);
    /* Pairs with hk_anchor_is_vacant: whoever used it is done with it. */
    __atomic_store_n(&anchor->writer, 0, __ATOMIC_RELEASE);
}

#endif
