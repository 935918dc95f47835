/* A sorted list of numbers under RLU or MV-RLU, whichever includes this: any number of readers, and writers at different places, at once.
 *
 * Adding locks the node before; removing locks the node before and the node itself, so that nothing is added behind a
 * node that leaves. What a section has locked is as it saw it, so neither has to look again.
 *
 * Only the link of a node is ever locked and copied. The key is read from the node itself, without dereference. That is
 * right because
 *  - a link points to a node itself, never to a copy (assign);
 *  - the key is written before a link that points to the node is committed, which whoever finds it there has acquired
 *    (dereference), and never again: to write back a copy writes the link alone;
 *  - a node that has left is not freed while a section is left that can reach it (C5 in rlu.h, C9 in mvrlu.h).
 *
 * Functions that end in `_in` are for a section of the caller's, several of them make one commit, and -1 from any of
 * them means `abort`; the others are sections of their own. Thread-safe, except init, clear and audit.
 */
#ifndef ORDO_SET
#error "include <ordo/cc/rlu_list.h> or <ordo/cc/mvrlu_list.h>"
#endif

struct ORDO_SET(list_link) {
    struct ORDO_SET(list_node) * next;
};

struct ORDO_SET(list_node) {
    struct ORDO_SET(list_link) link;
    uint64_t key;
};
ORDO_STATIC_ASSERT(offsetof(struct ORDO_SET(list_node), link) == 0, "a link has the node's header");

/** Its head is an object like the nodes, without a key. All zero is an empty list. */
struct ORDO_SET(list) {
    struct ordo_rlu_header header;
    struct ORDO_SET(list_link) head;
};

static inline void ORDO_SET(list_init)(struct ORDO_SET(list) * list)
{
    memset(list, 0, sizeof *list);
}

/* The link before `key` as this section sees it; `*next` is the node behind it, or NULL: no copy, so that its link is to
 * be dereferenced. */
static inline struct ORDO_SET(list_link) * ORDO_SET(list_seek)(struct ORDO_SET(thread) * t,
                                                               struct ORDO_SET(list) * list, uint64_t key,
                                                               struct ORDO_SET(list_node) * *next)
{
    struct ORDO_SET(list_link) *before = (struct ORDO_SET(list_link) *)ORDO_SET(dereference)(t, &list->head);
    struct ORDO_SET(list_node) * node;
    while ((node = before->next) != NULL && node->key < key)
        before = (struct ORDO_SET(list_link) *)ORDO_SET(dereference)(t, &node->link);
    *next = node;
    return before;
}

/** 1: the list has the key; 0: it has not. */
static inline int ORDO_SET(list_contains_in)(struct ORDO_SET(thread) * t, struct ORDO_SET(list) * list, uint64_t key)
{
    struct ORDO_SET(list_node) * node;
    (void)ORDO_SET(list_seek)(t, list, key, &node);
    return node && node->key == key;
}

/** 1: added; 0: it was there; -1: abort. */
static inline int ORDO_SET(list_add_in)(struct ORDO_SET(thread) * t, struct ORDO_SET(list) * list, uint64_t key)
{
    struct ORDO_SET(list_node) * node, *added;
    struct ORDO_SET(list_link) *before = ORDO_SET(list_seek)(t, list, key, &node);
    if (node && node->key == key)
        return 0;
    before = (struct ORDO_SET(list_link) *)ORDO_SET(try_lock)(t, before, sizeof *before);
    if (!before)
        return -1;
    added = (struct ORDO_SET(list_node) *)ORDO_SET(alloc)(t, sizeof *added);
    if (!added)
        return -1;
    added->key = key;
    ORDO_SET(assign)(&added->link.next, node);
    ORDO_SET(assign)(&before->next, added);
    return 1;
}

/** 1: removed; 0: it was not there; -1: abort. */
static inline int ORDO_SET(list_remove_in)(struct ORDO_SET(thread) * t, struct ORDO_SET(list) * list, uint64_t key)
{
    struct ORDO_SET(list_node) * node;
    struct ORDO_SET(list_link) *before = ORDO_SET(list_seek)(t, list, key, &node), *link;
    if (!node || node->key != key)
        return 0;
    ORDO_SET(will_lock)(before);
    ORDO_SET(will_lock)(&node->link);
    before = (struct ORDO_SET(list_link) *)ORDO_SET(try_lock)(t, before, sizeof *before);
    if (!before)
        return -1;
    link = (struct ORDO_SET(list_link) *)ORDO_SET(try_lock)(t, &node->link, sizeof *link);
    if (!link)
        return -1;
    ORDO_SET(assign)(&before->next, link->next);
    return ORDO_SET(free)(t, link) ? -1 : 1;
}

/** 1: the list has the key; 0: it has not; in a domain with a `watch` that reader_lock refuses, ORDO_E_DISRUPTED. */
static inline int ORDO_SET(list_contains)(struct ORDO_SET(thread) * t, struct ORDO_SET(list) * list, uint64_t key)
{
    int found = ORDO_SET(reader_lock)(t);
    if (found != ORDO_OK)
        return found;
    found = ORDO_SET(list_contains_in)(t, list, key);
    (void)ORDO_SET(reader_unlock)(t);
    return found;
}

/** 1: added; 0: it was there; ORDO_E_SYSTEM: no memory; in a domain with a `watch` ORDO_E_DISRUPTED; of MV-RLU also
 * ORDO_E_FULL, see ordo_mvrlu_abort. */
static inline int ORDO_SET(list_add)(struct ORDO_SET(thread) * t, struct ORDO_SET(list) * list, uint64_t key)
{
    int result;
    ORDO_SET_SECTION(t, result, ORDO_SET(list_add_in)(t, list, key));
    return result;
}

/** 1: removed; 0: it was not there; or the errors of ORDO_SET(list_add). */
static inline int ORDO_SET(list_remove)(struct ORDO_SET(thread) * t, struct ORDO_SET(list) * list, uint64_t key)
{
    int result;
    ORDO_SET_SECTION(t, result, ORDO_SET(list_remove_in)(t, list, key));
    return result;
}

/** The number of keys; or ORDO_E_INVALID: not sorted, a key twice, or a node still locked. No thread may be in a
 * section or have commits pending. */
static inline int64_t ORDO_SET(list_audit)(const struct ORDO_SET(list) * list)
{
    const struct ORDO_SET(list_node) * node;
    const struct ORDO_SET(list_node) *before = NULL;
    int64_t count = 0;
    if (list->header.copy)
        return ORDO_E_INVALID;
    for (node = list->head.next; node; before = node, node = node->link.next, count++)
        if (((const struct ordo_rlu_header *)node - 1)->copy || (before && node->key <= before->key))
            return ORDO_E_INVALID;
    return count;
}

/** Removes and frees everything. No thread may be using the list or have commits pending. */
static inline void ORDO_SET(list_clear)(struct ORDO_SET_DOMAIN *domain, struct ORDO_SET(list) * list)
{
    struct ORDO_SET(list_node) *node = list->head.next, *next;
    for (; node; node = next) {
        next = node->link.next;
        ORDO_SET(discard)(domain, node);
    }
    list->head.next = NULL;
}
