/* A set of numbers: a fixed number of sorted lists (rlu_list.h), which says all about sections and threads. */
#ifndef ORDO_CC_RLU_HASH_H
#define ORDO_CC_RLU_HASH_H

#include <ordo/cc/rlu_list.h>

struct ordo_rlu_hash {
    struct ordo_rlu_list *lists;
    uint32_t buckets;
};

/** ORDO_E_INVALID: no buckets; ORDO_E_SYSTEM: no memory. */
static inline int ordo_rlu_hash_init(struct ordo_rlu *rlu, struct ordo_rlu_hash *hash, uint32_t buckets)
{
    size_t bytes = (size_t)buckets * sizeof *hash->lists;
    hash->buckets = buckets;
    hash->lists = NULL;
    if (buckets == 0)
        return ORDO_E_INVALID;
    if (bytes / sizeof *hash->lists == buckets)
        hash->lists = (struct ordo_rlu_list *)ordo_rlu_allocate(rlu, bytes);
    if (!hash->lists)
        return ORDO_E_SYSTEM;
    memset(hash->lists, 0, bytes);
    return ORDO_OK;
}

/** The list where a key belongs. Multiplicative hashing; the upper half is scaled, which a division would take longer
 * for. */
static inline struct ordo_rlu_list *ordo_rlu_hash_list(const struct ordo_rlu_hash *hash, uint64_t key)
{
    return &hash->lists[(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) * hash->buckets >> 32];
}

/** 1: the set has the key; 0: it has not. */
static inline int ordo_rlu_hash_contains(struct ordo_rlu_thread *t, struct ordo_rlu_hash *hash, uint64_t key)
{
    return ordo_rlu_list_contains(t, ordo_rlu_hash_list(hash, key), key);
}

/** 1: added; 0: it was there; ORDO_E_SYSTEM: no memory. */
static inline int ordo_rlu_hash_add(struct ordo_rlu_thread *t, struct ordo_rlu_hash *hash, uint64_t key)
{
    return ordo_rlu_list_add(t, ordo_rlu_hash_list(hash, key), key);
}

/** 1: removed; 0: it was not there; ORDO_E_SYSTEM: no memory. */
static inline int ordo_rlu_hash_remove(struct ordo_rlu_thread *t, struct ordo_rlu_hash *hash, uint64_t key)
{
    return ordo_rlu_list_remove(t, ordo_rlu_hash_list(hash, key), key);
}

/** The number of keys; or ORDO_E_INVALID: a list is not sound, or a key not in its own. As ordo_rlu_list_audit. */
static inline int64_t ordo_rlu_hash_audit(const struct ordo_rlu_hash *hash)
{
    int64_t sum = 0, count;
    uint32_t i;
    for (i = 0; i < hash->buckets; i++) {
        const struct ordo_rlu_list_node *node = hash->lists[i].head.next;
        count = ordo_rlu_list_audit(&hash->lists[i]);
        if (count < 0)
            return count;
        for (; node; node = node->next)
            if (ordo_rlu_hash_list(hash, node->key) != &hash->lists[i])
                return ORDO_E_INVALID;
        sum += count;
    }
    return sum;
}

/** Frees everything; init again before use. As ordo_rlu_list_clear. */
static inline void ordo_rlu_hash_destroy(struct ordo_rlu *rlu, struct ordo_rlu_hash *hash)
{
    uint32_t i;
    for (i = 0; i < hash->buckets; i++)
        ordo_rlu_list_clear(rlu, &hash->lists[i]);
    ordo_rlu_release(rlu, hash->lists);
    hash->lists = NULL;
    hash->buckets = 0;
}

#endif
