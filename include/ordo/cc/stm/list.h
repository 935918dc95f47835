/* A set of numbers: a sorted list in transactional memory.
 *
 * Functions that end in _in run in a transaction of the caller, so that several of them can happen together. The other
 * functions run a transaction of their own. If the transaction was given up, they return a negative code as
 * ordo_stm_read does; if out of memory, ORDO_E_SYSTEM. The key of a node never changes, and is therefore read as plain
 * memory.
 */
#ifndef ORDO_CC_STM_LIST_H
#define ORDO_CC_STM_LIST_H

#include <ordo/cc/stm.h>

struct ordo_stm_list_node {
    uint64_t key;
    uint64_t next; /* a transactional word: the address of a node, or 0 */
};

/** A list. All zero: an empty list. */
struct ordo_stm_list {
    uint64_t first; /* a transactional word, as `next` */
};

static inline struct ordo_stm_list_node *ordo_stm_list_at(uint64_t word)
{
    return (struct ordo_stm_list_node *)(uintptr_t)word;
}

/* Finds the first node whose key is >= `key`: sets `*node` to it, or to NULL, and `*link` to the word that points to
 * it. `keeps` is a constant: each kind of read set has a loop of its own, whose last reads stay in registers. */
ORDO_CC_FAST int ordo_stm_list_seek_as(struct ordo_stm_thread *t, struct ordo_stm_list *list, uint64_t key,
                                       uint64_t **link, struct ordo_stm_list_node **node, int keeps)
{
    uint64_t *at = &list->first, word;
    struct ordo_stm_list_node *next;
    struct ordo_stm_view view;
    ordo_stm_view_begin(t, &view);
    for (;;) {
        int code = ordo_stm_read_by(t, &view, keeps, at, &word);
        if (code)
            return code;
        next = ordo_stm_list_at(word);
        if (!next || next->key >= key)
            break;
        at = &next->next;
    }
    *link = at;
    *node = next;
    ordo_stm_view_end(t, &view, keeps);
    return ORDO_OK;
}

static inline int ordo_stm_list_seek(struct ordo_stm_thread *t, struct ordo_stm_list *list, uint64_t key,
                                     uint64_t **link, struct ordo_stm_list_node **node)
{
    int keeps = ordo_stm_keeps(t);
    if (keeps == ORDO_STM_KEEPS_NONE)
        return ordo_stm_list_seek_as(t, list, key, link, node, ORDO_STM_KEEPS_NONE);
    if (keeps == ORDO_STM_KEEPS_LAST)
        return ordo_stm_list_seek_as(t, list, key, link, node, ORDO_STM_KEEPS_LAST);
    return ordo_stm_list_seek_as(t, list, key, link, node, ORDO_STM_KEEPS_ALL);
}

/** 1: the set has the key; 0: the set does not have it; or an error. */
static inline int ordo_stm_list_contains_in(struct ordo_stm_thread *t, struct ordo_stm_list *list, uint64_t key)
{
    struct ordo_stm_list_node *node;
    uint64_t *link;
    int code = ordo_stm_list_seek(t, list, key, &link, &node);
    return code ? code : node && node->key == key;
}

/** 1: added; 0: the set has the key already; or an error. */
static inline int ordo_stm_list_add_in(struct ordo_stm_thread *t, struct ordo_stm_list *list, uint64_t key)
{
    struct ordo_stm_list_node *node, *fresh;
    uint64_t *link;
    int code = ordo_stm_list_seek(t, list, key, &link, &node);
    if (code || (node && node->key == key))
        return code;
    fresh = (struct ordo_stm_list_node *)ordo_stm_alloc(t, sizeof *fresh);
    if (!fresh)
        return ORDO_E_SYSTEM;
    fresh->key = key;
    fresh->next = (uintptr_t)node;
    code = ordo_stm_write(t, link, (uintptr_t)fresh);
    return code ? code : 1;
}

/* Removes a key. With `marks`, writes the link of the removed node as well, for elastic searches that have reached it. */
static inline int ordo_stm_list_take_in(struct ordo_stm_thread *t, struct ordo_stm_list *list, uint64_t key, int marks)
{
    struct ordo_stm_list_node *node;
    uint64_t *link, next;
    int code = ordo_stm_list_seek(t, list, key, &link, &node);
    if (code || !node || node->key != key)
        return code;
    if ((code = ordo_stm_read(t, &node->next, &next)) || (code = ordo_stm_write(t, link, next)) ||
        (marks && (code = ordo_stm_write(t, &node->next, next))) || (code = ordo_stm_free(t, node)))
        return code;
    return 1;
}

/** 1: removed; 0: the set does not have the key; or an error. */
static inline int ordo_stm_list_remove_in(struct ordo_stm_thread *t, struct ordo_stm_list *list, uint64_t key)
{
    return ordo_stm_list_take_in(t, list, key, 0);
}

/** The next three functions are as those that end in _in, but each runs in a transaction of its own. */
static inline int ordo_stm_list_contains(struct ordo_stm_thread *t, struct ordo_stm_list *list, uint64_t key)
{
    int result;
    ORDO_STM_ATOMICALLY(t, ORDO_STM_READ_ONLY, result, ordo_stm_list_contains_in(t, list, key));
    return result;
}

static inline int ordo_stm_list_add(struct ordo_stm_thread *t, struct ordo_stm_list *list, uint64_t key)
{
    int result;
    ORDO_STM_ATOMICALLY(t, 0, result, ordo_stm_list_add_in(t, list, key));
    return result;
}

static inline int ordo_stm_list_remove(struct ordo_stm_thread *t, struct ordo_stm_list *list, uint64_t key)
{
    int result;
    ORDO_STM_ATOMICALLY(t, 0, result, ordo_stm_list_remove_in(t, list, key));
    return result;
}

/* ---- elastic searches ---- */

/** As ordo_stm_list_remove_in, for a list that elastic transactions search. If a list has elastic operations, this
 * function or ordo_stm_list_remove_elastic removes all keys from it; all other functions may be used too. */
static inline int ordo_stm_list_remove_elastic_in(struct ordo_stm_thread *t, struct ordo_stm_list *list, uint64_t key)
{
    return ordo_stm_list_take_in(t, list, key, 1);
}

/** The next three functions are as those without _elastic, and each runs in an elastic transaction of its own: a change
 * in a part of the list that the search has passed does not make it begin again. In an elastic transaction of the
 * caller, a result need not stand any more after the next search (ordo_stm_hold). */
static inline int ordo_stm_list_contains_elastic(struct ordo_stm_thread *t, struct ordo_stm_list *list, uint64_t key)
{
    int result;
    ORDO_STM_ATOMICALLY(t, ORDO_STM_READ_ONLY | ORDO_STM_ELASTIC, result, ordo_stm_list_contains_in(t, list, key));
    return result;
}

static inline int ordo_stm_list_add_elastic(struct ordo_stm_thread *t, struct ordo_stm_list *list, uint64_t key)
{
    int result;
    ORDO_STM_ATOMICALLY(t, ORDO_STM_ELASTIC, result, ordo_stm_list_add_in(t, list, key));
    return result;
}

static inline int ordo_stm_list_remove_elastic(struct ordo_stm_thread *t, struct ordo_stm_list *list, uint64_t key)
{
    int result;
    ORDO_STM_ATOMICALLY(t, ORDO_STM_ELASTIC, result, ordo_stm_list_remove_elastic_in(t, list, key));
    return result;
}

/** Returns the number of keys, or ORDO_E_INVALID: the keys are out of order. Call it when no other thread uses the
 * list. */
static inline int64_t ordo_stm_list_audit(const struct ordo_stm_list *list)
{
    const struct ordo_stm_list_node *node = ordo_stm_list_at(list->first), *next;
    int64_t count = 0;
    for (; node; node = next, count++) {
        next = ordo_stm_list_at(node->next);
        if (next && next->key <= node->key)
            return ORDO_E_INVALID;
    }
    return count;
}

/** Removes and frees all nodes. Call it when no other thread uses the list. */
static inline void ordo_stm_list_clear(struct ordo_stm *stm, struct ordo_stm_list *list)
{
    struct ordo_stm_list_node *node = ordo_stm_list_at(list->first), *next;
    for (; node; node = next) {
        next = ordo_stm_list_at(node->next);
        ordo_stm_discard(stm, node);
    }
    list->first = 0;
}

#endif
