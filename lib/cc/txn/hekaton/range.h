/* The anchors of a range of keys, in ascending order: the members of an ordered table's list, or the places of a dense
 * table. A range of places meets every key, also those without a record, whose anchors have no version; a scan and its
 * validation treat these like keys without an anchor. */
#ifndef ORDO_CC_TXN_HEKATON_RANGE_H
#define ORDO_CC_TXN_HEKATON_RANGE_H

#include "cc/txn/hekaton/anchor.h"
#include "cc/txn/hekaton/chain.h"

struct hk_range {
    const struct ordo_table *table;
    uint64_t key;           /* dense: the key of the present anchor */
    struct cc_tower *tower; /* ordered: the present anchor's, or NULL */
};

static inline bool hk_has_ranges(const struct ordo_table *table)
{
    return table->places.first || table->list.first;
}

/* Returns the range of all keys from `first` on. */
static inline struct hk_range hk_range_from(const struct ordo_table *table, uint64_t first)
{
    struct hk_range range = {table, first, NULL};
    if (!table->places.first)
        range.tower = cc_list_next(cc_list_before(&table->list, first, NULL), 0);
    return range;
}

/* Returns the present anchor, and its key. NULL: the range has no further anchor with a key below `end`. */
static inline struct hk_anchor *hk_range_at(const struct hk_range *range, uint64_t end, uint64_t *key)
{
    if (range->table->places.first) {
        *key = range->key;
        return *key < end && *key <= range->table->last_key ? hk_at_place(range->table, *key) : NULL;
    }
    if (!range->tower || range->tower->key >= end)
        return NULL;
    *key = range->tower->key;
    return hk_of_tower(range->tower);
}

/* Moves on from the present anchor. Call after the visit of this anchor, which may move the begin of the transaction:
 * the next anchor is the next one at the new begin. */
static inline void hk_range_move(struct hk_range *range)
{
    if (range->tower)
        range->tower = cc_list_next(range->tower, 0);
    range->key++;
}

/* Prefetches the newest version of the anchor after the present one. */
static inline void hk_range_fetch(const struct hk_range *range)
{
    struct hk_range ahead = *range;
    uint64_t key;
    hk_range_move(&ahead);
    struct hk_anchor *anchor = hk_range_at(&ahead, UINT64_MAX, &key);
    if (anchor)
        __builtin_prefetch(hk_head(anchor));
}

#endif
