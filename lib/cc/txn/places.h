/* The index of a dense table, whose keys are 0 to `count` - 1: an array of entries. The entry of a key, a record or an
 * anchor, is at its place from the creation of the table until the database is closed.
 *
 * A hash index must ensure four things, with the lock of a bucket and the order of its accesses. In a dense table they
 * follow from the fact that an entry never comes, moves or leaves:
 *
 *  - A key has at most one entry (cc_hash_add): a place belongs to one key, and has one entry.
 *  - A search finds only complete entries (cc_hash_first): the engine fills all entries before ordo_table_add returns,
 *    and the caller orders that call before every use of the table (txn.h).
 *  - An entry that a transaction holds is not given to another key (core/home.h; C10 of core.h): an entry is not retired
 *    and its memory is not reused. Only versions are.
 *  - A transaction that misses a key notices if the key is inserted: it meets the key's entry now, and again when it
 *    validates.
 *
 * A key without a record has an empty entry: in hekaton an anchor without a version, in the other engines an absent
 * record. So the insert of a key, and the end of its deletion, change only the entry, under its claim or its lock. The
 * engines have these two steps for hashed tables too: an insert above a deletion, and a deletion in a database with a
 * history, in which no record leaves the index. Only hekaton's chain without a version is new (hk_empty). */
#ifndef ORDO_CC_TXN_PLACES_H
#define ORDO_CC_TXN_PLACES_H

#include "cc/txn/index.h"

struct cc_places {
    char *first; /* NULL: the table is not dense */
    uint64_t count;
    size_t stride; /* bytes from an entry to the next */
};

static inline size_t cc_places_bytes(const struct cc_places *places)
{
    return places->stride * places->count;
}

/** Returns the entry of a key below `count`. */
static inline struct cc_node *cc_place(const struct cc_places *places, uint64_t key)
{
    return (struct cc_node *)(void *)(places->first + places->stride * key);
}

#endif
