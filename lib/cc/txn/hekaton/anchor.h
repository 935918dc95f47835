/* The memory of a record's anchor, and how long the anchor stays there. In an unordered table, the anchor is in the
 * home of its bucket if possible (core/home.h); the claim of the home is then the anchor's claim. An anchor that leaves
 * the index has the claim HK_DEAD, in a home too. It stays dead, and its record stays deleted. Anchors of ordered
 * tables are never in homes: a scan reads one anchor after another, and is faster if their order in memory is the order
 * of their creation. */
#ifndef ORDO_CC_TXN_HEKATON_ANCHOR_H
#define ORDO_CC_TXN_HEKATON_ANCHOR_H

#include "cc/txn/hekaton/types.h"

/* The size of an anchor from `head` on. No thread may access these bytes while the home is vacant; AddressSanitizer
 * reports such an access. */
#define HK_ANCHOR_REST (sizeof(struct hk_anchor) - offsetof(struct hk_anchor, head))

/* True if the anchors of a table never leave their places, whatever happens to their records. */
static inline bool hk_stays(const struct ordo_table *table)
{
    return table->places.first;
}

/* Returns the anchor at a place of a dense table. */
static inline struct hk_anchor *hk_at_place(const struct ordo_table *table, uint64_t key)
{
    return (struct hk_anchor *)cc_place(&table->places, key);
}

/* Returns the anchor of a key; NULL if the key has none, in a hashed table. */
static inline struct hk_anchor *hk_find(struct ordo_table *table, uint64_t key)
{
    return table->places.first ? hk_at_place(table, key) : (struct hk_anchor *)cc_hash_find(&table->hash, key);
}

/* Returns the home in a key's bucket, NULL if the buckets have no homes. */
static inline struct hk_anchor *hk_anchor_home(const struct ordo_table *table, uint64_t key)
{
    return (struct hk_anchor *)cc_hash_home(&table->hash, cc_hash_bucket(&table->hash, key));
}

/* Returns the size of an anchor of `table` with `height` links. */
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

/* Fills an anchor: `head` is its only version, and the worker's transaction has its claim. */
static void hk_anchor_fill(struct cc_worker *worker, struct hk_anchor *anchor, struct hk_version *head)
{
    /* Atomic, because other threads may check at the same time whether the home is vacant. Relaxed, because the anchor
     * is published when it is added to the index. */
    __atomic_store_n(&anchor->writer, worker->id, __ATOMIC_RELAXED);
    anchor->head = head;
    anchor->inlined = HK_TAG;
    head->anchor = anchor;
}

/* Makes an anchor without a version at each place of a dense table. */
static void hk_fill_places(struct ordo_table *table)
{
    for (uint64_t key = 0; key < table->places.count; key++) {
        struct hk_anchor *anchor = hk_at_place(table, key);
        memset(anchor, 0, sizeof *anchor);
        anchor->node.key = key;
        anchor->inlined = HK_TAG;
    }
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

/* Adds an anchor for `key` in the home of its bucket, with `head` as its only version, claimed by the transaction.
 * NULL: the home is not vacant, or the key is in the index. */
static struct hk_anchor *hk_anchor_at_home(struct cc_worker *worker, struct ordo_table *table, uint64_t key,
                                           struct hk_version *head)
{
    struct hk_anchor *home = hk_anchor_home(table, key);
    if (!home || !cc_home_lock(&table->hash, key, &home->writer))
        return NULL;
    CC_UNPOISON(&home->head, HK_ANCHOR_REST);
    hk_anchor_fill(worker, home, head);
    cc_home_settle(&table->hash, key);
    return home;
}

/* Takes an anchor out of the indices, with the claim HK_DEAD. */
static void hk_anchor_unlink(struct ordo_table *table, struct hk_anchor *anchor)
{
    cc_hash_remove(&table->hash, &anchor->node);
    if (table->list.first)
        cc_list_remove(&table->list, &anchor->tower);
}

/* Frees an anchor that no thread uses any more. */
static void hk_anchor_free(struct ordo_table *table, struct hk_anchor *anchor)
{
    if (!cc_hash_is_home(&table->hash, &anchor->node)) {
        cc_release(table->db, anchor, hk_anchor_bytes(table, anchor));
        return;
    }
    CC_POISON(&anchor->head, HK_ANCHOR_REST);
    cc_home_vacate(&anchor->writer);
}

#endif
