/* A set of numbers: a skip list in transactional memory (W. Pugh, CACM 1990). Codes and transactions as in stm/list.h.
 *
 * The height of a node is computed from its key. Threads therefore share no random number generator, and a key that is
 * removed and added again gets the same height. The key and the height of a node never change, and are read as plain
 * memory.
 */
#ifndef ORDO_CC_STM_SKIP_H
#define ORDO_CC_STM_SKIP_H

#include <ordo/cc/stm.h>

enum { ORDO_STM_SKIP_LEVELS = 20 };

struct ordo_stm_skip_node {
    uint64_t key;
    uint64_t levels;
    uint64_t next[1]; /* `levels` transactional words, each the address of a node, or 0 */
};

/** A skip list. All zero: an empty list. */
struct ordo_stm_skip {
    uint64_t first[ORDO_STM_SKIP_LEVELS]; /* transactional words, as `next` */
};

static inline struct ordo_stm_skip_node *ordo_stm_skip_at(uint64_t word)
{
    return (struct ordo_stm_skip_node *)(uintptr_t)word;
}

/* Returns the height of a key: 1 for half of the keys, 2 for a quarter, and so on. */
static inline unsigned ordo_stm_skip_levels(uint64_t key)
{
    uint64_t mixed = (key + 1) * UINT64_C(0x9e3779b97f4a7c15);
    mixed ^= mixed >> 29;
    return 1 + (unsigned)__builtin_ctzll((mixed * UINT64_C(0xbf58476d1ce4e5b9) >> 32) |
                                         UINT64_C(1) << (ORDO_STM_SKIP_LEVELS - 1));
}

/* Finds, on each level, the first node whose key is >= `key`. Sets `links[level]` to the word that points to this node,
 * and `*node` to the node of level 0, or NULL. */
static inline int ordo_stm_skip_seek(struct ordo_stm_thread *t, struct ordo_stm_skip *skip, uint64_t key,
                                     uint64_t *links[ORDO_STM_SKIP_LEVELS], struct ordo_stm_skip_node **node)
{
    struct ordo_stm_skip_node *at = NULL;
    struct ordo_stm_view view;
    uint64_t *next = skip->first, word;
    int level = ORDO_STM_SKIP_LEVELS - 1, keeps = ordo_stm_keeps(t);
    ordo_stm_view_begin(t, &view);
    while (level >= 0) {
        int code = ordo_stm_read_by(t, &view, keeps, &next[level], &word);
        if (code)
            return code;
        at = ordo_stm_skip_at(word);
        if (at && at->key < key)
            next = at->next;
        else
            links[level] = &next[level], level--;
    }
    *node = at;
    ordo_stm_view_end(t, &view, keeps);
    return ORDO_OK;
}

/** 1: the set has the key; 0: the set does not have it; or an error. */
static inline int ordo_stm_skip_contains_in(struct ordo_stm_thread *t, struct ordo_stm_skip *skip, uint64_t key)
{
    uint64_t *links[ORDO_STM_SKIP_LEVELS];
    struct ordo_stm_skip_node *node = NULL;
    int code = ordo_stm_skip_seek(t, skip, key, links, &node);
    return code ? code : node && node->key == key;
}

/** 1: added; 0: the set has the key already; or an error. */
static inline int ordo_stm_skip_add_in(struct ordo_stm_thread *t, struct ordo_stm_skip *skip, uint64_t key)
{
    uint64_t *links[ORDO_STM_SKIP_LEVELS];
    struct ordo_stm_skip_node *node = NULL, *fresh;
    unsigned levels = ordo_stm_skip_levels(key), i;
    int code = ordo_stm_skip_seek(t, skip, key, links, &node);
    if (code || (node && node->key == key))
        return code;
    fresh = (struct ordo_stm_skip_node *)ordo_stm_alloc(t, sizeof *fresh + (levels - 1) * sizeof fresh->next[0]);
    if (!fresh)
        return ORDO_E_SYSTEM;
    fresh->key = key;
    fresh->levels = levels;
    for (i = 0; i < levels; i++)
        if ((code = ordo_stm_read(t, links[i], &fresh->next[i])) ||
            (code = ordo_stm_write(t, links[i], (uintptr_t)fresh)))
            return code;
    return 1;
}

/** 1: removed; 0: the set does not have the key; or an error. */
static inline int ordo_stm_skip_remove_in(struct ordo_stm_thread *t, struct ordo_stm_skip *skip, uint64_t key)
{
    uint64_t *links[ORDO_STM_SKIP_LEVELS], next;
    struct ordo_stm_skip_node *node = NULL;
    unsigned i;
    int code = ordo_stm_skip_seek(t, skip, key, links, &node);
    if (code || !node || node->key != key)
        return code;
    for (i = 0; i < node->levels; i++)
        if ((code = ordo_stm_read(t, &node->next[i], &next)) || (code = ordo_stm_write(t, links[i], next)))
            return code;
    code = ordo_stm_free(t, node);
    return code ? code : 1;
}

/** The next three functions are as those that end in _in, but each runs in a transaction of its own. */
static inline int ordo_stm_skip_contains(struct ordo_stm_thread *t, struct ordo_stm_skip *skip, uint64_t key)
{
    int result;
    ORDO_STM_ATOMICALLY(t, ORDO_STM_READ_ONLY, result, ordo_stm_skip_contains_in(t, skip, key));
    return result;
}

static inline int ordo_stm_skip_add(struct ordo_stm_thread *t, struct ordo_stm_skip *skip, uint64_t key)
{
    int result;
    ORDO_STM_ATOMICALLY(t, 0, result, ordo_stm_skip_add_in(t, skip, key));
    return result;
}

static inline int ordo_stm_skip_remove(struct ordo_stm_thread *t, struct ordo_stm_skip *skip, uint64_t key)
{
    int result;
    ORDO_STM_ATOMICALLY(t, 0, result, ordo_stm_skip_remove_in(t, skip, key));
    return result;
}

/** Returns the number of keys, or ORDO_E_INVALID: the keys are out of order, a node has the wrong height, or a level
 * does not contain exactly the nodes that are high enough. Call it when no other thread uses the skip list. */
static inline int64_t ordo_stm_skip_audit(const struct ordo_stm_skip *skip)
{
    int64_t count = 0;
    unsigned level;
    for (level = 0; level < ORDO_STM_SKIP_LEVELS; level++) {
        const struct ordo_stm_skip_node *upper = ordo_stm_skip_at(skip->first[level]), *lower;
        for (lower = ordo_stm_skip_at(skip->first[0]); lower; lower = ordo_stm_skip_at(lower->next[0])) {
            const struct ordo_stm_skip_node *next = ordo_stm_skip_at(lower->next[0]);
            if ((next && next->key <= lower->key) || lower->levels != ordo_stm_skip_levels(lower->key))
                return ORDO_E_INVALID;
            count += level == 0;
            if (lower->levels <= level)
                continue;
            if (upper != lower)
                return ORDO_E_INVALID;
            upper = ordo_stm_skip_at(upper->next[level]);
        }
        if (upper)
            return ORDO_E_INVALID;
    }
    return count;
}

/** Removes and frees all nodes. Call it when no other thread uses the skip list. */
static inline void ordo_stm_skip_clear(struct ordo_stm *stm, struct ordo_stm_skip *skip)
{
    struct ordo_stm_skip_node *node = ordo_stm_skip_at(skip->first[0]), *next;
    for (; node; node = next) {
        next = ordo_stm_skip_at(node->next[0]);
        ordo_stm_discard(stm, node);
    }
    memset(skip, 0, sizeof *skip);
}

#endif
