/* Homes in the buckets of the hash index: places for index entries of one line, and how long an entry keeps one.
 *
 * In a table of such entries each bucket has a home for one of them, after the inlining of Cicada (H. Lim et al.,
 * SIGMOD 2017): a search for a key takes one line instead of two, of which the second waits for the first. Most of the
 * buckets stay empty, and nearly four of five records have a home, as long as the table holds no more records than it
 * is made for. An entry takes the home if it finds it vacant, and stays in its place until it leaves the index.
 *
 * The memory of a home is like that of any other entry, with one difference: every search for a key of the bucket reads
 * the home, without regard to C10. The search reads the key, which alone tells whose the home is, and reads more only
 * if the key is the right one. A thread that adds an entry also reads the claim of a home without a key. The claim is a
 * word of the engine's; it is not 0 when the key is removed, nor until the home is vacant again.
 *
 *    vacant    CC_NO_KEY, and the claim is 0.
 *    taken     a key (cc_home_settle). V1: under the lock of the bucket, the home was vacant and the key not in the
 *              bucket. V2: the key is stored last.
 *    left      CC_NO_KEY (cc_hash_remove), and the claim. V3: the claim is not 0 when the key is removed. A transaction
 *              that found the key before may access the rest of the entry until its end. It does not read the key
 *              again: it knows the key itself, or it holds something that keeps the entry in the index.
 *    vacant    when C10 lets such entries go (cc_home_vacate). V4: the claim is dropped last.
 *
 * So an entry that a transaction holds does not become another key's before the transaction has ended, and everything
 * that an engine says of entries that have left the index holds. A key that had its entry in the chain may have it in
 * the home the next time, or the other way round. A search, first of the home and then of the chain, may meet neither:
 * at some moment of the search the former entry had left and the latter was not there yet, which a search of a chain
 * alone may find too. There are never both, because a thread that adds one searches the home and the chain under the
 * lock. */
#ifndef ORDO_CC_TXN_CORE_HOME_H
#define ORDO_CC_TXN_CORE_HOME_H

#include "cc/txn/core/types.h"

#define CC_HOME_WIDTH 3 /* of buckets with a home: struct cc_hash */

_Static_assert(sizeof(uintptr_t) << CC_HOME_WIDTH == 64, "a home is a line");

static inline bool cc_home_is_vacant(const struct cc_node *home, const uint64_t *claim)
{
    return cc_hash_is_at(home, CC_NO_KEY) &&
           __atomic_load_n(claim, __ATOMIC_ACQUIRE) == 0; /* pairs with cc_home_vacate: no thread uses it */
}

/* V1. Locks the bucket of a key in order to take its home, which has this claim. False, and unlocked: the home is not
 * vacant, or the key is in the index. */
static inline bool cc_home_lock(struct cc_hash *hash, uint64_t key, const uint64_t *claim)
{
    uintptr_t *bucket = cc_hash_bucket(hash, key);
    const struct cc_node *home = cc_hash_home(hash, bucket);
    if (!cc_home_is_vacant(home, claim)) /* a hint, without the lock */
        return false;
    cc_hash_lock(bucket);
    if (cc_home_is_vacant(home, claim) && !cc_hash_find(hash, key))
        return true;
    cc_hash_unlock(bucket, cc_hash_first(bucket));
    return false;
}

/* Gives its key to a home that is locked; all else of the entry is complete. */
static inline void cc_home_settle(struct cc_hash *hash, uint64_t key)
{
    uintptr_t *bucket = cc_hash_bucket(hash, key);
    /* V2. Pairs with cc_hash_is_at: the entry is complete. */
    __atomic_store_n(&cc_hash_home(hash, bucket)->key, key, __ATOMIC_RELEASE);
    cc_hash_unlock(bucket, cc_hash_first(bucket));
}

/* Makes a home vacant that was left, and that no thread uses any more. */
static inline void cc_home_vacate(uint64_t *claim)
{
    /* V4. Pairs with cc_home_is_vacant: every thread that used it is done with it. */
    __atomic_store_n(claim, 0, __ATOMIC_RELEASE);
}

#endif
