/* A sorted list of numbers under RLU: any number of readers, and writers at different places, at once.
 *
 * Adding locks the node before; removing locks the node before and the node itself, so that nothing is added behind a
 * node that leaves. What a section has locked is as it saw it (rlu.h), so neither has to look again.
 *
 * Functions that end in `_in` are for a section of the caller's, several of them make one commit, and -1 from any of
 * them means ordo_rlu_abort; the others are sections of their own. Thread-safe, except init, clear and audit.
 */
#ifndef ORDO_CC_RLU_LIST_H
#define ORDO_CC_RLU_LIST_H

#include <ordo/cc/rlu.h>

struct ordo_rlu_list_node {
    uint64_t key;
    struct ordo_rlu_list_node *next;
};

/** Its head is an object like the nodes. All zero is an empty list. */
struct ordo_rlu_list {
    struct ordo_rlu_header header;
    struct ordo_rlu_list_node head; /* its key means nothing */
};

static inline void ordo_rlu_list_init(struct ordo_rlu_list *list)
{
    memset(list, 0, sizeof *list);
}

/* The last node before `key` as this section sees it; `*next` is the one behind, or NULL. */
static inline struct ordo_rlu_list_node *ordo_rlu_list_seek(struct ordo_rlu_thread *t, struct ordo_rlu_list *list,
                                                            uint64_t key, struct ordo_rlu_list_node **next)
{
    struct ordo_rlu_list_node *before = (struct ordo_rlu_list_node *)ordo_rlu_dereference(t, &list->head), *node;
    while ((node = before->next) != NULL) {
        node = (struct ordo_rlu_list_node *)ordo_rlu_dereference(t, node);
        if (node->key >= key)
            break;
        before = node;
    }
    *next = node;
    return before;
}

/** 1: the list has the key; 0: it has not. */
static inline int ordo_rlu_list_contains_in(struct ordo_rlu_thread *t, struct ordo_rlu_list *list, uint64_t key)
{
    struct ordo_rlu_list_node *node;
    (void)ordo_rlu_list_seek(t, list, key, &node);
    return node && node->key == key;
}

/** 1: added; 0: it was there; -1: abort. */
static inline int ordo_rlu_list_add_in(struct ordo_rlu_thread *t, struct ordo_rlu_list *list, uint64_t key)
{
    struct ordo_rlu_list_node *node, *added;
    struct ordo_rlu_list_node *before = ordo_rlu_list_seek(t, list, key, &node);
    if (node && node->key == key)
        return 0;
    before = (struct ordo_rlu_list_node *)ordo_rlu_try_lock(t, before, sizeof *before);
    if (!before)
        return -1;
    added = (struct ordo_rlu_list_node *)ordo_rlu_alloc(t, sizeof *added);
    if (!added)
        return -1;
    added->key = key;
    ordo_rlu_assign(&added->next, node);
    ordo_rlu_assign(&before->next, added);
    return 1;
}

/** 1: removed; 0: it was not there; -1: abort. */
static inline int ordo_rlu_list_remove_in(struct ordo_rlu_thread *t, struct ordo_rlu_list *list, uint64_t key)
{
    struct ordo_rlu_list_node *node;
    struct ordo_rlu_list_node *before = ordo_rlu_list_seek(t, list, key, &node);
    if (!node || node->key != key)
        return 0;
    before = (struct ordo_rlu_list_node *)ordo_rlu_try_lock(t, before, sizeof *before);
    if (!before)
        return -1;
    node = (struct ordo_rlu_list_node *)ordo_rlu_try_lock(t, node, sizeof *node);
    if (!node)
        return -1;
    ordo_rlu_assign(&before->next, node->next);
    return ordo_rlu_free(t, node) ? -1 : 1;
}

/** 1: the list has the key; 0: it has not. */
static inline int ordo_rlu_list_contains(struct ordo_rlu_thread *t, struct ordo_rlu_list *list, uint64_t key)
{
    int found = ordo_rlu_reader_lock(t);
    if (found != ORDO_OK)
        return found;
    found = ordo_rlu_list_contains_in(t, list, key);
    (void)ordo_rlu_reader_unlock(t);
    return found;
}

/** 1: added; 0: it was there; ORDO_E_SYSTEM: no memory. */
static inline int ordo_rlu_list_add(struct ordo_rlu_thread *t, struct ordo_rlu_list *list, uint64_t key)
{
    int result;
    ORDO_RLU_SECTION(t, result, ordo_rlu_list_add_in(t, list, key));
    return result;
}

/** 1: removed; 0: it was not there; ORDO_E_SYSTEM: no memory. */
static inline int ordo_rlu_list_remove(struct ordo_rlu_thread *t, struct ordo_rlu_list *list, uint64_t key)
{
    int result;
    ORDO_RLU_SECTION(t, result, ordo_rlu_list_remove_in(t, list, key));
    return result;
}

/** The number of keys; or ORDO_E_INVALID: not sorted, a key twice, or a node still locked. No thread may be in a
 * section or have commits pending. */
static inline int64_t ordo_rlu_list_audit(const struct ordo_rlu_list *list)
{
    const struct ordo_rlu_list_node *node = &list->head, *next;
    int64_t count = 0;
    if (list->header.copy)
        return ORDO_E_INVALID;
    for (; (next = node->next) != NULL; node = next, count++)
        if (((const struct ordo_rlu_header *)next - 1)->copy || (count > 0 && next->key <= node->key))
            return ORDO_E_INVALID;
    return count;
}

/** Removes and frees everything. No thread may be using the list or have commits pending. */
static inline void ordo_rlu_list_clear(struct ordo_rlu *rlu, struct ordo_rlu_list *list)
{
    struct ordo_rlu_list_node *node = list->head.next, *next;
    for (; node; node = next) {
        next = node->next;
        ordo_rlu_discard(rlu, node);
    }
    list->head.next = NULL;
}

#endif
