/* A set of numbers: a skip list in transactional memory (W. Pugh, CACM 1990). Codes and transactions as in stm/list.h.
 *
 * The height of a node follows from its key: there is no shared state of random numbers, and a key that is removed and
 * added again gets the same height. Key and height never change, and are therefore read as plain memory.
 */
#ifndef ORDO_CC_STM_SKIP_H
#define ORDO_CC_STM_SKIP_H

#include <ordo/cc/stm.h>

enum { ORDO_STM_SKIP_LEVELS = 20 };

struct ordo_stm_skip_node {
    uint64_t key;
    uint64_t levels;
    uint64_t next[1]; /* words: a node, or 0; `levels` of them */
};

/** All zero is empty. */
struct ordo_stm_skip {
    uint64_t first[ORDO_STM_SKIP_LEVELS]; /* words, as `next` */
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

/* Finds the place of a key: on each level the word that points to it; `*node` is the node there on the lowest level, or
 * NULL. */
static inline int ordo_stm_skip_seek(struct ordo_stm_thread *t, struct ordo_stm_skip *skip, uint64_t key,
                                     uint64_t *links[ORDO_STM_SKIP_LEVELS], struct ordo_stm_skip_node **node)
{
    uint64_t *next = skip->first, word;
    int level = ORDO_STM_SKIP_LEVELS - 1;
    while (level >= 0) {
        int code = ordo_stm_read(t, &next[level], &word);
        if (code)
            return code;
        *node = ordo_stm_skip_at(word);
        if (*node && (*node)->key < key)
            next = (*node)->next;
        else
            links[level] = &next[level], level--;
    }
    return ORDO_OK;
}

/** 1: the set has the key; 0: it has not. */
static inline int ordo_stm_skip_contains_in(struct ordo_stm_thread *t, struct ordo_stm_skip *skip, uint64_t key)
{
    uint64_t *links[ORDO_STM_SKIP_LEVELS];
    struct ordo_stm_skip_node *node = NULL;
    int code = ordo_stm_skip_seek(t, skip, key, links, &node);
    return code ? code : node && node->key == key;
}

/** 1: added; 0: it was there. */
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

/** 1: removed; 0: it was not there. */
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

/** As the functions that end in _in, each in a transaction of its own. */
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

/** Returns the number of keys; or ORDO_E_INVALID: a level is out of order, or lacks a node of its height, or has a
 * lower one. No thread uses the skip list. */
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

/** Removes and frees everything. No thread uses the skip list. */
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
