/* A set of numbers: a fixed number of sorted lists. Codes and transactions: see stm/list.h. */
#ifndef ORDO_CC_STM_HASH_H
#define ORDO_CC_STM_HASH_H

#include <ordo/cc/stm/list.h>

struct ordo_stm_hash {
    struct ordo_stm_list *lists;
    uint32_t buckets;
};

/** Makes an empty set.
 * 0: made
 * ORDO_E_INVALID: `buckets` is 0
 * ORDO_E_SYSTEM: out of memory */
static inline int ordo_stm_hash_init(struct ordo_stm *stm, struct ordo_stm_hash *hash, uint32_t buckets)
{
    size_t bytes = (size_t)buckets * sizeof *hash->lists;
    hash->buckets = buckets;
    hash->lists = NULL;
    if (buckets == 0)
        return ORDO_E_INVALID;
    if (bytes / sizeof *hash->lists == buckets)
        hash->lists = (struct ordo_stm_list *)ordo_stm_allocate(stm, bytes);
    if (!hash->lists)
        return ORDO_E_SYSTEM;
    memset(hash->lists, 0, bytes);
    return ORDO_OK;
}

/** Returns the list of a key, as ordo_rlu_hash_list. */
static inline struct ordo_stm_list *ordo_stm_hash_list(const struct ordo_stm_hash *hash, uint64_t key)
{
    return &hash->lists[(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) * hash->buckets >> 32];
}

/** 1: the set has the key; 0: the set does not have it; or an error, as in stm/list.h. */
static inline int ordo_stm_hash_contains(struct ordo_stm_thread *t, struct ordo_stm_hash *hash, uint64_t key)
{
    return ordo_stm_list_contains(t, ordo_stm_hash_list(hash, key), key);
}

/** 1: added; 0: the set has the key already; or an error. */
static inline int ordo_stm_hash_add(struct ordo_stm_thread *t, struct ordo_stm_hash *hash, uint64_t key)
{
    return ordo_stm_list_add(t, ordo_stm_hash_list(hash, key), key);
}

/** 1: removed; 0: the set does not have the key; or an error. */
static inline int ordo_stm_hash_remove(struct ordo_stm_thread *t, struct ordo_stm_hash *hash, uint64_t key)
{
    return ordo_stm_list_remove(t, ordo_stm_hash_list(hash, key), key);
}

/** Returns the number of keys, or ORDO_E_INVALID: a list is out of order, or a key is in the wrong list. Call it when
 * no other thread uses the hash. */
static inline int64_t ordo_stm_hash_audit(const struct ordo_stm_hash *hash)
{
    int64_t sum = 0, count;
    uint32_t i;
    for (i = 0; i < hash->buckets; i++) {
        const struct ordo_stm_list_node *node = ordo_stm_list_at(hash->lists[i].first);
        for (; node; node = ordo_stm_list_at(node->next))
            if (ordo_stm_hash_list(hash, node->key) != &hash->lists[i])
                return ORDO_E_INVALID;
        count = ordo_stm_list_audit(&hash->lists[i]);
        if (count < 0)
            return count;
        sum += count;
    }
    return sum;
}

/** Removes and frees everything. Call it when no other thread uses the hash. */
static inline void ordo_stm_hash_destroy(struct ordo_stm *stm, struct ordo_stm_hash *hash)
{
    uint32_t i;
    for (i = 0; hash->lists && i < hash->buckets; i++)
        ordo_stm_list_clear(stm, &hash->lists[i]);
    ordo_stm_discard(stm, hash->lists);
    hash->lists = NULL;
    hash->buckets = 0;
}

#endif
