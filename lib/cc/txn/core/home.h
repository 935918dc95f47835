/* Homes: the memory for one index entry inside each bucket of the hash index, and how long an entry stays there.
 *
 * If the entries of a table fit in one cache line, each bucket has a home for one of them, after the inlining of Cicada
 * (H. Lim et al., SIGMOD 2017). A search that finds its key in the home loads one line instead of two dependent lines.
 * Most buckets are empty, and nearly four of five records are in homes, as long as the table holds no more records than
 * it was made for. A new entry takes the home if the home is vacant. An entry never moves before it leaves the index.
 *
 * The memory of a home follows the rules of any other entry, with one exception: every search for a key of the bucket
 * reads the home, without regard to C10. A search reads the key first, which alone tells whose entry is in the home,
 * and reads more only if the key matches. A thread that adds an entry also reads the claim of a home without a key. The
 * claim is a word of the engine. It is nonzero from the removal of the key until the home is vacant again.
 *
 *    vacant    CC_NO_KEY, and the claim is 0.
 *    taken     a key (cc_home_settle). V1: under the lock of the bucket, the home was vacant and the key not in the
 *              bucket. V2: the key is stored last.
 *    left      CC_NO_KEY (cc_hash_remove), and the claim is not 0. V3: the claim is not 0 when the key is removed. A
 *              transaction that found the key earlier may access the rest of the entry until the transaction ends. It
 *              does not read the key again: it remembers the key, or it holds something that keeps the entry in the
 *              index.
 *    vacant    again, when C10 permits the reuse of the entry (cc_home_vacate). V4: the claim is set to 0 last.
 *
 * So an entry that a transaction holds is not given to another key before the transaction has ended, and the engines'
 * arguments about entries that have left the index apply. A key whose entry was in the chain may get its next entry in
 * the home, or the reverse. A search visits the home and then the chain, and may miss both entries. This is correct,
 * because at some moment of the search the old entry had left the index and the new entry was not in it yet; a search
 * of a chain alone may miss entries in the same way. A key never has two entries, because a thread that adds an entry
 * searches the home and the chain under the lock. */
#ifndef ORDO_CC_TXN_CORE_HOME_H
#define ORDO_CC_TXN_CORE_HOME_H

#include "cc/txn/core/types.h"

#define CC_HOME_WIDTH 3 /* `width` of a table whose buckets have homes (struct cc_hash) */

_Static_assert(sizeof(uintptr_t) << CC_HOME_WIDTH == 64, "a home is a line");

static inline bool cc_home_is_vacant(const struct cc_node *home, const uint64_t *claim)
{
    return cc_hash_is_at(home, CC_NO_KEY) &&
           __atomic_load_n(claim, __ATOMIC_ACQUIRE) == 0; /* pairs with cc_home_vacate: no thread uses the home */
}

/* V1. Locks the bucket of a key, to take the bucket's home, whose claim is `claim`. Returns false, with the bucket
 * unlocked, if the home is not vacant or the key is in the index. */
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

/* Stores the key in the home of a locked bucket, and unlocks the bucket. The rest of the entry must be complete. */
static inline void cc_home_settle(struct cc_hash *hash, uint64_t key)
{
    uintptr_t *bucket = cc_hash_bucket(hash, key);
    /* V2. Pairs with cc_hash_is_at: the entry is complete. */
    __atomic_store_n(&cc_hash_home(hash, bucket)->key, key, __ATOMIC_RELEASE);
    cc_hash_unlock(bucket, cc_hash_first(bucket));
}

/* Makes a home vacant whose entry has left the index. No thread may use the entry any more. */
static inline void cc_home_vacate(uint64_t *claim)
{
    /* V4. Pairs with cc_home_is_vacant: every thread that used the home has finished with it. */
    __atomic_store_n(claim, 0, __ATOMIC_RELEASE);
}

#endif
