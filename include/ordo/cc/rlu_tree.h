/* A set of numbers in a search tree under RLU: an update changes several nodes, and readers see all of it or nothing.
 *
 * A treap (R. Seidel, C. Aragon, "Randomized Search Trees", Algorithmica 1996): ordered by key from left to right, and
 * by a hash of the key from the root down, so that its shape depends on the keys alone and its depth is logarithmic
 * unless an enemy chooses the keys by their hashes. Adding splits the subtree below the new node's place; removing
 * merges the two subtrees of the node that leaves.
 *
 * Every node whose pointer changes is locked, and a node that leaves too. Two updates that could disturb each other
 * meet in one: the link where one adds or removes lies on the path that the other splits or merges, or it is moved as a
 * whole. Sections, threads and results: as in rlu_list.h.
 */
#ifndef ORDO_CC_RLU_TREE_H
#define ORDO_CC_RLU_TREE_H

#include <ordo/cc/rlu.h>

struct ordo_rlu_tree_node {
    uint64_t key;
    struct ordo_rlu_tree_node *child[2]; /* smaller, greater */
};

/** All zero is an empty tree. */
struct ordo_rlu_tree {
    struct ordo_rlu_header header;
    struct ordo_rlu_tree_node root; /* no node: the tree is its child[0] */
};

static inline void ordo_rlu_tree_init(struct ordo_rlu_tree *tree)
{
    memset(tree, 0, sizeof *tree);
}

/* Different for different keys: each step can be undone (finalizer of MurmurHash3, A. Appleby). */
static inline uint64_t ordo_rlu_tree_priority(uint64_t key)
{
    key = (key ^ key >> 33) * UINT64_C(0xff51afd7ed558ccd);
    key = (key ^ key >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
    return key ^ key >> 33;
}

static inline struct ordo_rlu_tree_node *ordo_rlu_tree_see(struct ordo_rlu_thread *t, struct ordo_rlu_tree_node *node)
{
    return node ? (struct ordo_rlu_tree_node *)ordo_rlu_dereference(t, node) : NULL;
}

static inline struct ordo_rlu_tree_node *ordo_rlu_tree_lock(struct ordo_rlu_thread *t, struct ordo_rlu_tree_node *node)
{
    return (struct ordo_rlu_tree_node *)ordo_rlu_try_lock(t, node, sizeof *node);
}

/* Goes down to the key, or to where it would be: `*owner` and `*side` are the link to that place; what is there now is
 * returned. */
static inline struct ordo_rlu_tree_node *ordo_rlu_tree_seek(struct ordo_rlu_thread *t, struct ordo_rlu_tree *tree,
                                                            uint64_t key, struct ordo_rlu_tree_node **owner, int *side)
{
    uint64_t priority = ordo_rlu_tree_priority(key);
    struct ordo_rlu_tree_node *node;
    *owner = ordo_rlu_tree_see(t, &tree->root);
    *side = 0;
    while ((node = ordo_rlu_tree_see(t, (*owner)->child[*side])) != NULL) {
        if (node->key == key || ordo_rlu_tree_priority(node->key) < priority)
            break;
        *owner = node;
        *side = key > node->key;
    }
    return node;
}

/** 1: the set has the key; 0: it has not. */
static inline int ordo_rlu_tree_contains_in(struct ordo_rlu_thread *t, struct ordo_rlu_tree *tree, uint64_t key)
{
    struct ordo_rlu_tree_node *node = ordo_rlu_tree_see(t, ordo_rlu_tree_see(t, &tree->root)->child[0]);
    while (node && node->key != key)
        node = ordo_rlu_tree_see(t, node->child[key > node->key]);
    return node != NULL;
}

/** 1: added; 0: it was there; -1: abort. */
static inline int ordo_rlu_tree_add_in(struct ordo_rlu_thread *t, struct ordo_rlu_tree *tree, uint64_t key)
{
    struct ordo_rlu_tree_node *owner, *added, *copy, **open[2];
    int side;
    struct ordo_rlu_tree_node *node = ordo_rlu_tree_seek(t, tree, key, &owner, &side);
    if (node && node->key == key)
        return 0;
    owner = ordo_rlu_tree_lock(t, owner);
    if (!owner)
        return -1;
    added = (struct ordo_rlu_tree_node *)ordo_rlu_alloc(t, sizeof *added);
    if (!added)
        return -1;
    added->key = key;
    open[0] = &added->child[0];
    open[1] = &added->child[1];
    while (node) { /* what is greater goes to the right, and its smaller child remains to be split */
        int greater;
        copy = ordo_rlu_tree_lock(t, node);
        if (!copy)
            return -1;
        greater = copy->key > key;
        ordo_rlu_assign(open[greater], copy);
        open[greater] = &copy->child[!greater];
        node = ordo_rlu_tree_see(t, copy->child[!greater]);
    }
    *open[0] = *open[1] = NULL;
    ordo_rlu_assign(&owner->child[side], added);
    return 1;
}

/** 1: removed; 0: it was not there; -1: abort. */
static inline int ordo_rlu_tree_remove_in(struct ordo_rlu_thread *t, struct ordo_rlu_tree *tree, uint64_t key)
{
    struct ordo_rlu_tree_node *owner, *half[2], **open;
    int side;
    struct ordo_rlu_tree_node *node = ordo_rlu_tree_seek(t, tree, key, &owner, &side);
    if (!node || node->key != key)
        return 0;
    owner = ordo_rlu_tree_lock(t, owner);
    node = owner ? ordo_rlu_tree_lock(t, node) : NULL;
    if (!node)
        return -1;
    open = &owner->child[side];
    half[0] = ordo_rlu_tree_see(t, node->child[0]);
    half[1] = ordo_rlu_tree_see(t, node->child[1]);
    while (half[0] && half[1]) { /* the upper one comes first, and its inner child remains to be merged */
        int upper = ordo_rlu_tree_priority(half[0]->key) < ordo_rlu_tree_priority(half[1]->key);
        struct ordo_rlu_tree_node *copy = ordo_rlu_tree_lock(t, half[upper]);
        if (!copy)
            return -1;
        ordo_rlu_assign(open, copy);
        open = &copy->child[!upper];
        half[upper] = ordo_rlu_tree_see(t, *open);
    }
    ordo_rlu_assign(open, half[0] ? half[0] : half[1]);
    return ordo_rlu_free(t, node) ? -1 : 1;
}

/** 1: the set has the key; 0: it has not. */
static inline int ordo_rlu_tree_contains(struct ordo_rlu_thread *t, struct ordo_rlu_tree *tree, uint64_t key)
{
    int found = ordo_rlu_reader_lock(t);
    if (found != ORDO_OK)
        return found;
    found = ordo_rlu_tree_contains_in(t, tree, key);
    (void)ordo_rlu_reader_unlock(t);
    return found;
}

/** 1: added; 0: it was there; ORDO_E_SYSTEM: no memory. */
static inline int ordo_rlu_tree_add(struct ordo_rlu_thread *t, struct ordo_rlu_tree *tree, uint64_t key)
{
    int result;
    ORDO_RLU_SECTION(t, result, ordo_rlu_tree_add_in(t, tree, key));
    return result;
}

/** 1: removed; 0: it was not there; ORDO_E_SYSTEM: no memory. */
static inline int ordo_rlu_tree_remove(struct ordo_rlu_thread *t, struct ordo_rlu_tree *tree, uint64_t key)
{
    int result;
    ORDO_RLU_SECTION(t, result, ordo_rlu_tree_remove_in(t, tree, key));
    return result;
}

/* The number of keys below, all of which lie in [low, high] and have at most that priority; or ORDO_E_INVALID. */
static inline int64_t ordo_rlu_tree_audit_below(const struct ordo_rlu_tree_node *node, uint64_t low, uint64_t high,
                                                uint64_t priority)
{
    int64_t smaller, greater;
    uint64_t own;
    if (!node)
        return 0;
    own = ordo_rlu_tree_priority(node->key);
    if (((const struct ordo_rlu_header *)node - 1)->copy || node->key < low || node->key > high || own > priority ||
        (node->child[0] && node->key == 0) || (node->child[1] && node->key == UINT64_MAX))
        return ORDO_E_INVALID;
    smaller = ordo_rlu_tree_audit_below(node->child[0], low, node->key - 1, own);
    greater = ordo_rlu_tree_audit_below(node->child[1], node->key + 1, high, own);
    if (smaller < 0 || greater < 0)
        return ORDO_E_INVALID;
    return smaller + greater + 1;
}

/** The number of keys; or ORDO_E_INVALID: out of order, or a node still locked. As ordo_rlu_list_audit. */
static inline int64_t ordo_rlu_tree_audit(const struct ordo_rlu_tree *tree)
{
    if (tree->header.copy || tree->root.child[1])
        return ORDO_E_INVALID;
    return ordo_rlu_tree_audit_below(tree->root.child[0], 0, UINT64_MAX, UINT64_MAX);
}

/** Removes and frees everything. As ordo_rlu_list_clear. */
static inline void ordo_rlu_tree_clear(struct ordo_rlu *rlu, struct ordo_rlu_tree *tree)
{
    struct ordo_rlu_tree_node **link = &tree->root.child[0], *node;
    while ((node = *link) != NULL) { /* hangs the greater half below the smaller one's end, until only one is left */
        struct ordo_rlu_tree_node **end = &node->child[0];
        while (*end)
            end = &(*end)->child[1];
        *end = node->child[1];
        *link = node->child[0];
        ordo_rlu_discard(rlu, node);
    }
}

#endif
