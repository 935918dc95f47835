/* A set of numbers: a fixed number of sorted lists. Sections and threads: see set/list.h. */
#ifndef ORDO_SET
#error "include <ordo/cc/rlu/hash.h> or <ordo/cc/mvrlu/hash.h>"
#endif

struct ORDO_SET(hash) {
    struct ORDO_SET(list) * lists;
    uint32_t buckets;
};

/** Makes an empty set.
 * 0: made
 * ORDO_E_INVALID: `buckets` is 0
 * ORDO_E_SYSTEM: out of memory */
static inline int ORDO_SET(hash_init)(struct ORDO_SET_DOMAIN *domain, struct ORDO_SET(hash) * hash, uint32_t buckets)
{
    size_t bytes = (size_t)buckets * sizeof *hash->lists;
    hash->buckets = buckets;
    hash->lists = NULL;
    if (buckets == 0)
        return ORDO_E_INVALID;
    if (bytes / sizeof *hash->lists == buckets)
        hash->lists = (struct ORDO_SET(list) *)ORDO_SET(allocate)(domain, bytes);
    if (!hash->lists)
        return ORDO_E_SYSTEM;
    memset(hash->lists, 0, bytes);
    return ORDO_OK;
}

/** Returns the list of a key. Multiplicative hashing: the upper 32 bits of the product are scaled to the number of
 * buckets by a multiplication, which is faster than a division. */
static inline struct ORDO_SET(list) * ORDO_SET(hash_list)(const struct ORDO_SET(hash) * hash, uint64_t key)
{
    return &hash->lists[(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) * hash->buckets >> 32];
}

/** The next three functions run in a section of the caller, as those of set/list.h that end in `_in`. Several lookups in
 * one section see the same prefix of all commits: this is an atomic multi-get of any number of keys.
 *
 * 1: the set has the key; 0: the set does not have it. */
static inline int ORDO_SET(hash_contains_in)(struct ORDO_SET(thread) * t, struct ORDO_SET(hash) * hash, uint64_t key)
{
    return ORDO_SET(list_contains_in)(t, ORDO_SET(hash_list)(hash, key), key);
}

/** 1: added; 0: the set has the key already; -1: abort. */
static inline int ORDO_SET(hash_add_in)(struct ORDO_SET(thread) * t, struct ORDO_SET(hash) * hash, uint64_t key)
{
    return ORDO_SET(list_add_in)(t, ORDO_SET(hash_list)(hash, key), key);
}

/** 1: removed; 0: the set does not have the key; -1: abort. */
static inline int ORDO_SET(hash_remove_in)(struct ORDO_SET(thread) * t, struct ORDO_SET(hash) * hash, uint64_t key)
{
    return ORDO_SET(list_remove_in)(t, ORDO_SET(hash_list)(hash, key), key);
}

/** 1: the set has the key; 0: the set does not have it; ORDO_E_DISRUPTED: as ORDO_SET(list_contains). */
static inline int ORDO_SET(hash_contains)(struct ORDO_SET(thread) * t, struct ORDO_SET(hash) * hash, uint64_t key)
{
    return ORDO_SET(list_contains)(t, ORDO_SET(hash_list)(hash, key), key);
}

/** 1: added; 0: the set has the key already; or an error of ORDO_SET(list_add). */
static inline int ORDO_SET(hash_add)(struct ORDO_SET(thread) * t, struct ORDO_SET(hash) * hash, uint64_t key)
{
    return ORDO_SET(list_add)(t, ORDO_SET(hash_list)(hash, key), key);
}

/** 1: removed; 0: the set did not have the key; or an error of ORDO_SET(list_add). */
static inline int ORDO_SET(hash_remove)(struct ORDO_SET(thread) * t, struct ORDO_SET(hash) * hash, uint64_t key)
{
    return ORDO_SET(list_remove)(t, ORDO_SET(hash_list)(hash, key), key);
}

/** Returns the number of keys, or ORDO_E_INVALID: an audit of a list failed, or a key is in the wrong list. Call it
 * when ORDO_SET(list_audit) may be called. */
static inline int64_t ORDO_SET(hash_audit)(const struct ORDO_SET(hash) * hash)
{
    int64_t sum = 0, count;
    uint32_t i;
    for (i = 0; i < hash->buckets; i++) {
        const struct ORDO_SET(list_node) * node;
        count = ORDO_SET(list_audit)(&hash->lists[i]);
        if (count < 0)
            return count;
        node = (const struct ORDO_SET(list_node) *)ordo_rlu_link_at_rest(&hash->lists[i].head);
        for (; node; node = (const struct ORDO_SET(list_node) *)ordo_rlu_link_at_rest(&node->link))
            if (ORDO_SET(hash_list)(hash, node->key) != &hash->lists[i])
                return ORDO_E_INVALID;
        sum += count;
    }
    return sum;
}

/** Frees everything. Call it when ORDO_SET(list_clear) may be called; call ORDO_SET(hash_init) before using the set
 * again. */
static inline void ORDO_SET(hash_destroy)(struct ORDO_SET_DOMAIN *domain, struct ORDO_SET(hash) * hash)
{
    uint32_t i;
    for (i = 0; i < hash->buckets; i++)
        ORDO_SET(list_clear)(domain, &hash->lists[i]);
    ORDO_SET(release)(domain, hash->lists);
    hash->lists = NULL;
    hash->buckets = 0;
}
