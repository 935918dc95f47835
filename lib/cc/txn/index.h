/* The indices: a hash table for single records, and a skip list for ranges.
 *
 * Both hold nodes that the caller embeds and owns. Readers take no lock and write nothing; writers lock one bucket, or
 * the list. A removed node keeps its own links, so that a reader on it can go on. The caller keeps the node's memory
 * until no transaction can reach it (condition C10, see core.h). Neither index is ever rehashed. A lookup loads a
 * bucket and then a node, whose addresses can be prefetched; or the bucket alone, if the node is in its bucket. For
 * this reason, and because the caller supplies the allocator, the engines have indices of their own.
 *
 * A reader that walks on from a removed node may miss nodes that were added after the removal. The transactions that
 * added these nodes end after the reader took its time. So a snapshot must not see the nodes, and validation searches
 * for them again.
 */
#ifndef ORDO_CC_TXN_INDEX_H
#define ORDO_CC_TXN_INDEX_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <ordo/clock.h>

enum { CC_TOWER = 20 };

#define CC_NO_KEY UINT64_MAX /* not the key of any record; a home without an entry has it */

/** The first member of every indexed structure, aligned to 64 bytes. */
struct cc_node {
    struct cc_node *next; /* next node of the chain; if the node is in its bucket, the bucket's first word */
    uint64_t key;
};

struct cc_hash {
    uintptr_t *buckets; /* the first word of each points to the first node of its chain; bit 0 is the writers' lock */
    unsigned shift;     /* 64 minus the binary logarithm of the number of buckets */
    unsigned width;     /* binary logarithm of the number of words of a bucket; 0: buckets have no homes */
};

/** Makes one step of a wait; `turns` counts the steps. Spins at first, then yields, because the other thread may need
 * this CPU. */
static inline void cc_wait(unsigned *turns)
{
    if (++*turns % 64 == 0)
        (void)sched_yield();
    else
        ordo_clock_pause();
}

static inline uintptr_t *cc_hash_bucket_at(const struct cc_hash *hash, uint64_t i)
{
    return &hash->buckets[i << hash->width];
}

static inline uintptr_t *cc_hash_bucket(const struct cc_hash *hash, uint64_t key)
{
    return cc_hash_bucket_at(hash, key * UINT64_C(0x9e3779b97f4a7c15) >> hash->shift);
}

static inline uint64_t cc_hash_count(const struct cc_hash *hash)
{
    return UINT64_C(1) << (64 - hash->shift);
}

static inline size_t cc_hash_bytes(const struct cc_hash *hash)
{
    return (sizeof(uintptr_t) << hash->width) * cc_hash_count(hash);
}

/** Returns the home in a bucket, NULL if buckets have none. */
static inline struct cc_node *cc_hash_home(const struct cc_hash *hash, uintptr_t *bucket)
{
    return hash->width ? (struct cc_node *)bucket : NULL;
}

/** True if a node is in the home of its bucket, or was there before it was removed. */
static inline bool cc_hash_is_home(const struct cc_hash *hash, const struct cc_node *node)
{
    return hash->width && (uintptr_t)node - (uintptr_t)hash->buckets < cc_hash_bytes(hash);
}

/** True if `home`, which may be NULL, contains the node of `key`. */
static inline bool cc_hash_is_at(const struct cc_node *home, uint64_t key)
{
    /* Pairs with cc_home_settle: the node is complete. */
    return home && __atomic_load_n(&home->key, __ATOMIC_ACQUIRE) == key;
}

/** Initialises a zeroed table: gives all homes the key CC_NO_KEY. */
static inline void cc_hash_init(struct cc_hash *hash)
{
    for (uint64_t i = 0; i < cc_hash_count(hash); i++) {
        uintptr_t *bucket = cc_hash_bucket_at(hash, i);
        memset(bucket, 0, sizeof *bucket << hash->width);
        if (hash->width)
            cc_hash_home(hash, bucket)->key = CC_NO_KEY;
    }
}

static inline struct cc_node *cc_hash_first(const uintptr_t *bucket)
{
    /* Pairs with cc_hash_add: the node is complete. */
    return (struct cc_node *)(__atomic_load_n(bucket, __ATOMIC_ACQUIRE) & ~(uintptr_t)1);
}

static inline struct cc_node *cc_hash_find(const struct cc_hash *hash, uint64_t key)
{
    uintptr_t *bucket = cc_hash_bucket(hash, key);
    struct cc_node *node = cc_hash_home(hash, bucket);
    if (cc_hash_is_at(node, key) && key != CC_NO_KEY)
        return node;
    node = cc_hash_first(bucket);
    while (node && node->key != key)
        /* Pairs with cc_hash_remove and, through the bucket, cc_hash_add: the next node is complete. */
        node = __atomic_load_n(&node->next, __ATOMIC_ACQUIRE);
    return node;
}

static inline void cc_hash_lock(uintptr_t *bucket)
{
    unsigned turns = 0;
    uintptr_t seen = __atomic_load_n(bucket, __ATOMIC_RELAXED);
    /* Pairs with cc_hash_unlock: the bucket is as the last holder left it. */
    while ((seen & 1) ||
           !__atomic_compare_exchange_n(bucket, &seen, seen | 1, true, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
        cc_wait(&turns);
        seen = __atomic_load_n(bucket, __ATOMIC_RELAXED);
    }
}

/** Unlocks a bucket, and makes `first` the first node of its chain. */
static inline void cc_hash_unlock(uintptr_t *bucket, struct cc_node *first)
{
    /* Pairs with cc_hash_first, cc_hash_lock: node and chain are complete. */
    __atomic_store_n(bucket, (uintptr_t)first, __ATOMIC_RELEASE);
}

/** Adds a node unless the table already has its key. Returns the node that the table then has for the key. */
static inline struct cc_node *cc_hash_add(struct cc_hash *hash, struct cc_node *node)
{
    uintptr_t *bucket = cc_hash_bucket(hash, node->key);
    cc_hash_lock(bucket);
    struct cc_node *first = cc_hash_first(bucket), *found = cc_hash_find(hash, node->key);
    __atomic_store_n(&node->next, first, __ATOMIC_RELAXED);
    cc_hash_unlock(bucket, found ? first : node);
    return found ? found : node;
}

/** Removes a node, which must be in the table. */
static inline void cc_hash_remove(struct cc_hash *hash, struct cc_node *node)
{
    uintptr_t *bucket = cc_hash_bucket(hash, node->key);
    cc_hash_lock(bucket);
    struct cc_node *first = cc_hash_first(bucket);
    if (node == cc_hash_home(hash, bucket)) {
        /* Relaxed: it removes the node and publishes nothing. */
        __atomic_store_n(&node->key, CC_NO_KEY, __ATOMIC_RELAXED);
        cc_hash_unlock(bucket, first);
        return;
    }
    struct cc_node *before = first == node ? NULL : first, *next = __atomic_load_n(&node->next, __ATOMIC_RELAXED);
    while (before && __atomic_load_n(&before->next, __ATOMIC_RELAXED) != node)
        before = __atomic_load_n(&before->next, __ATOMIC_RELAXED);
    if (before)
        /* Pairs with cc_hash_find: the nodes behind it stay reachable and complete. */
        __atomic_store_n(&before->next, next, __ATOMIC_RELEASE);
    cc_hash_unlock(bucket, first == node ? next : first);
}

/** Returns the node after `node` in a bucket; if `node` is NULL, the first. Only for a database at rest. */
static inline struct cc_node *cc_hash_next(const struct cc_hash *hash, uintptr_t *bucket, struct cc_node *node)
{
    struct cc_node *home = cc_hash_home(hash, bucket);
    if (!node && home && home->key != CC_NO_KEY)
        return home;
    return !node || node == home ? cc_hash_first(bucket) : node->next;
}

/** A member of the ordered index, with `height` links. */
struct cc_tower {
    uint64_t key;
    unsigned height;
    struct cc_tower *next[];
};

struct cc_list {
    struct cc_tower *first; /* of height CC_TOWER, before all members; NULL: the table is not ordered */
    int lock;
    uint64_t random;
};

static inline void cc_list_lock(struct cc_list *list)
{
    unsigned turns = 0;
    /* Pairs with cc_list_unlock: the links are as the last writer left them. */
    while (__atomic_exchange_n(&list->lock, 1, __ATOMIC_ACQUIRE))
        cc_wait(&turns);
}

static inline void cc_list_unlock(struct cc_list *list)
{
    /* Pairs with cc_list_lock: the links are complete. */
    __atomic_store_n(&list->lock, 0, __ATOMIC_RELEASE);
}

static inline struct cc_tower *cc_list_next(const struct cc_tower *tower, unsigned level)
{
    /* Pairs with cc_list_add and cc_list_remove: the next tower is complete. */
    return __atomic_load_n(&tower->next[level], __ATOMIC_ACQUIRE);
}

/** Returns the last tower before `key`. Stores the last tower before `key` on each level in `path`, unless `path` is
 * NULL. */
static inline struct cc_tower *cc_list_before(const struct cc_list *list, uint64_t key, struct cc_tower **path)
{
    struct cc_tower *at = list->first, *next;
    for (unsigned level = CC_TOWER; level-- > 0;) {
        while ((next = cc_list_next(at, level)) && next->key < key)
            at = next;
        if (path)
            path[level] = at;
    }
    return at;
}

/** Returns the height of a new member. Each level has about a quarter of the members of the level below it. */
static inline unsigned cc_list_height(uint64_t *random)
{
    unsigned height = 1;
    *random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    for (uint64_t bits = *random >> 20; height < CC_TOWER && (bits & 3) == 0; bits >>= 2)
        height++;
    return height;
}

/** Adds a member whose key and height are set. The list must not have this key, except in a member that is being
 * removed. */
static inline void cc_list_add(struct cc_list *list, struct cc_tower *tower)
{
    struct cc_tower *path[CC_TOWER];
    cc_list_lock(list);
    (void)cc_list_before(list, tower->key, path);
    for (unsigned level = 0; level < tower->height; level++) {
        __atomic_store_n(&tower->next[level], cc_list_next(path[level], level), __ATOMIC_RELAXED);
        /* Pairs with cc_list_next: the new tower is complete. */
        __atomic_store_n(&path[level]->next[level], tower, __ATOMIC_RELEASE);
    }
    cc_list_unlock(list);
}

/** Removes a member, which must be in the list. */
static inline void cc_list_remove(struct cc_list *list, struct cc_tower *tower)
{
    struct cc_tower *path[CC_TOWER];
    cc_list_lock(list);
    (void)cc_list_before(list, tower->key, path);
    for (unsigned level = 0; level < tower->height; level++) {
        struct cc_tower *at = path[level];
        while (cc_list_next(at, level) != tower)
            at = cc_list_next(at, level); /* another member of the same key */
        /* Pairs with cc_list_next: the members behind it stay reachable and complete. */
        __atomic_store_n(&at->next[level], cc_list_next(tower, level), __ATOMIC_RELEASE);
    }
    cc_list_unlock(list);
}

#endif
