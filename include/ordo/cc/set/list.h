/* A sorted list of numbers under RLU or MV-RLU, whichever includes this file. Any number of readers run concurrently,
 * and so do writers that lock different nodes.
 *
 * Adding a key locks the link before the new node. Removing a key locks the link before the node and the link in the
 * node, so that no node is added behind a node that is being removed. An object that a section has locked is unchanged
 * since the section read it, so neither operation needs a second search.
 *
 * Only the link of a node is ever locked. The key, which follows the link, is read directly. This is correct because
 *  - a link points to a node, and nodes have no copies;
 *  - the key is written before a link to the node is committed and does not change afterwards, and a reader that finds
 *    the node has acquired this link (follow);
 *  - a removed node is not freed until no section can reach it (C5 in rlu/argument.h, C9 in mvrlu/argument.h).
 *
 * Functions that end in `_in` run in a section of the caller: several of them can share one commit; if one of them
 * returns -1, the caller must abort the section. The other functions run a section of their own. All functions are
 * thread-safe, except init, clear and audit.
 */
#ifndef ORDO_SET
#error "include <ordo/cc/rlu/list.h> or <ordo/cc/mvrlu/list.h>"
#endif

struct ORDO_SET(list_node) {
    struct ordo_rlu_link link;
    uint64_t key;
};

/** A list. All zero: an empty list. */
struct ORDO_SET(list) {
    struct ordo_rlu_link head;
};

static inline void ORDO_SET(list_init)(struct ORDO_SET(list) * list)
{
    memset(list, 0, sizeof *list);
}

/* Returns the link, as this section sees the list, at which `key` is or would be inserted; sets `*next` to the first
 * node with a key >= `key`, or to NULL. */
static inline struct ordo_rlu_link *ORDO_SET(list_seek)(struct ORDO_SET(thread) * t, struct ORDO_SET(list) * list,
                                                        uint64_t key, struct ORDO_SET(list_node) * *next)
{
    struct ordo_rlu_link *before = &list->head;
    struct ORDO_SET(list_node) * node;
    while ((node = (struct ORDO_SET(list_node) *)ORDO_SET(follow)(t, before)) != NULL && node->key < key)
        before = &node->link;
    *next = node;
    return before;
}

/** 1: the list has the key; 0: the list does not have it. */
static inline int ORDO_SET(list_contains_in)(struct ORDO_SET(thread) * t, struct ORDO_SET(list) * list, uint64_t key)
{
    struct ORDO_SET(list_node) * node;
    (void)ORDO_SET(list_seek)(t, list, key, &node);
    return node && node->key == key;
}

/** 1: added; 0: the list has the key already; -1: abort. */
static inline int ORDO_SET(list_add_in)(struct ORDO_SET(thread) * t, struct ORDO_SET(list) * list, uint64_t key)
{
    struct ORDO_SET(list_node) * node, *added;
    struct ordo_rlu_link *before = ORDO_SET(list_seek)(t, list, key, &node);
    void **to;
    if (node && node->key == key)
        return 0;
    to = ORDO_SET(try_lock_link)(t, before);
    if (!to)
        return -1;
    added = (struct ORDO_SET(list_node) *)ORDO_SET(alloc_node)(t, sizeof *added);
    if (!added)
        return -1;
    added->key = key;
    ordo_rlu_link_init(&added->link, node);
    *to = added;
    return 1;
}

/** 1: removed; 0: the list does not have the key; -1: abort. */
static inline int ORDO_SET(list_remove_in)(struct ORDO_SET(thread) * t, struct ORDO_SET(list) * list, uint64_t key)
{
    struct ORDO_SET(list_node) * node;
    struct ordo_rlu_link *before = ORDO_SET(list_seek)(t, list, key, &node);
    void **to, **behind;
    if (!node || node->key != key)
        return 0;
    ordo_rlu_will_lock_link(before);
    ordo_rlu_will_lock_link(&node->link);
    to = ORDO_SET(try_lock_link)(t, before);
    behind = to ? ORDO_SET(try_lock_link)(t, &node->link) : NULL;
    if (!behind)
        return -1;
    *to = *behind;
    return ORDO_SET(free_node)(t, node) ? -1 : 1;
}

/** 1: the list has the key
 * 0: the list does not have it
 * ORDO_E_DISRUPTED, with a `watch` only: reader_lock refused the section */
static inline int ORDO_SET(list_contains)(struct ORDO_SET(thread) * t, struct ORDO_SET(list) * list, uint64_t key)
{
    int found = ORDO_SET(reader_lock)(t);
    if (found != ORDO_OK)
        return found;
    found = ORDO_SET(list_contains_in)(t, list, key);
    (void)ORDO_SET(reader_unlock)(t);
    return found;
}

/** 1: added
 * 0: the list has the key already
 * ORDO_E_SYSTEM: out of memory
 * ORDO_E_DISRUPTED, with a `watch` only: the section never happened
 * ORDO_E_FULL, under MV-RLU only: see ordo_mvrlu_abort */
static inline int ORDO_SET(list_add)(struct ORDO_SET(thread) * t, struct ORDO_SET(list) * list, uint64_t key)
{
    int result;
    ORDO_SET_SECTION(t, result, ORDO_SET(list_add_in)(t, list, key));
    return result;
}

/** 1: removed; 0: the list does not have the key; or an error of ORDO_SET(list_add). */
static inline int ORDO_SET(list_remove)(struct ORDO_SET(thread) * t, struct ORDO_SET(list) * list, uint64_t key)
{
    int result;
    ORDO_SET_SECTION(t, result, ORDO_SET(list_remove_in)(t, list, key));
    return result;
}

/** Returns the number of keys, or ORDO_E_INVALID: the list is not sorted, has a key twice, or has a locked link. Call
 * it only in a domain at rest, as defined at ordo_rlu_link_is_locked. */
static inline int64_t ORDO_SET(list_audit)(const struct ORDO_SET(list) * list)
{
    const struct ordo_rlu_link *link = &list->head;
    const struct ORDO_SET(list_node) * node, *before = NULL;
    int64_t count = 0;
    for (;; link = &node->link, before = node, count++) {
        if (ordo_rlu_link_is_locked(link))
            return ORDO_E_INVALID;
        node = (const struct ORDO_SET(list_node) *)ordo_rlu_link_at_rest(link);
        if (!node)
            return count;
        if (before && node->key <= before->key)
            return ORDO_E_INVALID;
    }
}

/** Removes and frees all nodes. Call it only in a domain at rest, as defined at ordo_rlu_link_is_locked. */
static inline void ORDO_SET(list_clear)(struct ORDO_SET_DOMAIN *domain, struct ORDO_SET(list) * list)
{
    struct ORDO_SET(list_node) *node = (struct ORDO_SET(list_node) *)ordo_rlu_link_at_rest(&list->head), *next;
    for (; node; node = next) {
        next = (struct ORDO_SET(list_node) *)ordo_rlu_link_at_rest(&node->link);
        ORDO_SET(discard_node)(domain, node);
    }
    ORDO_SET(list_init)(list);
}
