/* A set of numbers in a search tree under RLU or MV-RLU, whichever includes this file: an update changes several nodes,
 * and readers see all of its changes or none.
 *
 * The tree is a treap (R. Seidel, C. Aragon, "Randomized Search Trees", Algorithmica 1996): its nodes are ordered by
 * key from left to right, and by a hash of the key from the root down. Its shape therefore depends only on the set of
 * keys, and its depth is logarithmic unless an adversary chooses the keys by their hashes. Adding a node splits the
 * subtree that the node replaces; removing a node merges its two subtrees.
 *
 * An update locks every node whose pointers it changes, and a removed node. If two updates conflict, both lock a common
 * node: the link at which one of them adds or removes a node is on the path that the other splits or merges. If this
 * link is instead in a subtree that the other update moves as a whole, the two updates do not conflict. Sections,
 * threads and results are as in list.h.
 */
#ifndef ORDO_SET
#error "include <ordo/cc/rlu/tree.h> or <ordo/cc/mvrlu/tree.h>"
#endif

struct ORDO_SET(tree_node) {
    uint64_t key;
    struct ORDO_SET(tree_node) * child[2]; /* [0]: the subtree of smaller keys; [1]: of greater keys */
};

/** A tree. All zero: an empty tree. */
struct ORDO_SET(tree) {
    struct ordo_rlu_header header;
    struct ORDO_SET(tree_node) root; /* a sentinel without a key: its child[0] is the root of the treap */
};

static inline void ORDO_SET(tree_init)(struct ORDO_SET(tree) * tree)
{
    memset(tree, 0, sizeof *tree);
}

/* Returns the priority of a key. Different keys have different priorities, because each step is invertible (finalizer
 * of MurmurHash3, A. Appleby). */
static inline uint64_t ORDO_SET(tree_priority)(uint64_t key)
{
    key = (key ^ key >> 33) * UINT64_C(0xff51afd7ed558ccd);
    key = (key ^ key >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
    return key ^ key >> 33;
}

static inline struct ORDO_SET(tree_node) *
    ORDO_SET(tree_see)(struct ORDO_SET(thread) * t, struct ORDO_SET(tree_node) * node)
{
    return node ? (struct ORDO_SET(tree_node) *)ORDO_SET(dereference)(t, node) : NULL;
}

static inline struct ORDO_SET(tree_node) *
    ORDO_SET(tree_lock)(struct ORDO_SET(thread) * t, struct ORDO_SET(tree_node) * node)
{
    return (struct ORDO_SET(tree_node) *)ORDO_SET(try_lock)(t, node, sizeof *node);
}

/* Finds the link child[*side] of `*owner` at which a key is, or would be added. Returns the node to which the link
 * points, or NULL. */
static inline struct ORDO_SET(tree_node) * ORDO_SET(tree_seek)(struct ORDO_SET(thread) * t,
                                                               struct ORDO_SET(tree) * tree, uint64_t key,
                                                               struct ORDO_SET(tree_node) * *owner, int *side)
{
    uint64_t priority = ORDO_SET(tree_priority)(key);
    struct ORDO_SET(tree_node) * node;
    *owner = ORDO_SET(tree_see)(t, &tree->root);
    *side = 0;
    while ((node = ORDO_SET(tree_see)(t, (*owner)->child[*side])) != NULL) {
        if (node->key == key || ORDO_SET(tree_priority)(node->key) < priority)
            break;
        *owner = node;
        *side = key > node->key;
    }
    return node;
}

/** 1: the set has the key; 0: the set does not have it. */
static inline int ORDO_SET(tree_contains_in)(struct ORDO_SET(thread) * t, struct ORDO_SET(tree) * tree, uint64_t key)
{
    struct ORDO_SET(tree_node) *node = ORDO_SET(tree_see)(t, ORDO_SET(tree_see)(t, &tree->root)->child[0]);
    while (node && node->key != key)
        node = ORDO_SET(tree_see)(t, node->child[key > node->key]);
    return node != NULL;
}

/** 1: added; 0: the set has the key already; -1: abort. */
static inline int ORDO_SET(tree_add_in)(struct ORDO_SET(thread) * t, struct ORDO_SET(tree) * tree, uint64_t key)
{
    struct ORDO_SET(tree_node) * owner, *added, *copy, **open[2];
    int side;
    struct ORDO_SET(tree_node) *node = ORDO_SET(tree_seek)(t, tree, key, &owner, &side);
    if (node && node->key == key)
        return 0;
    owner = ORDO_SET(tree_lock)(t, owner);
    if (!owner)
        return -1;
    added = (struct ORDO_SET(tree_node) *)ORDO_SET(alloc)(t, sizeof *added);
    if (!added)
        return -1;
    added->key = key;
    open[0] = &added->child[0];
    open[1] = &added->child[1];
    /* a node with a greater key moves to the right half, and its child[0] is split next; a node with a smaller key
     * mirrors this */
    while (node) {
        int greater;
        copy = ORDO_SET(tree_lock)(t, node);
        if (!copy)
            return -1;
        greater = copy->key > key;
        ORDO_SET(assign)(open[greater], copy);
        open[greater] = &copy->child[!greater];
        node = ORDO_SET(tree_see)(t, copy->child[!greater]);
    }
    *open[0] = *open[1] = NULL;
    ORDO_SET(assign)(&owner->child[side], added);
    return 1;
}

/** 1: removed; 0: the set does not have the key; -1: abort. */
static inline int ORDO_SET(tree_remove_in)(struct ORDO_SET(thread) * t, struct ORDO_SET(tree) * tree, uint64_t key)
{
    struct ORDO_SET(tree_node) * owner, *half[2], **open;
    int side;
    struct ORDO_SET(tree_node) *node = ORDO_SET(tree_seek)(t, tree, key, &owner, &side);
    if (!node || node->key != key)
        return 0;
    owner = ORDO_SET(tree_lock)(t, owner);
    node = owner ? ORDO_SET(tree_lock)(t, node) : NULL;
    if (!node)
        return -1;
    open = &owner->child[side];
    half[0] = ORDO_SET(tree_see)(t, node->child[0]);
    half[1] = ORDO_SET(tree_see)(t, node->child[1]);
    /* the half with the higher priority goes on top; its inner child is merged with the other half next */
    while (half[0] && half[1]) {
        int upper = ORDO_SET(tree_priority)(half[0]->key) < ORDO_SET(tree_priority)(half[1]->key);
        struct ORDO_SET(tree_node) *copy = ORDO_SET(tree_lock)(t, half[upper]);
        if (!copy)
            return -1;
        ORDO_SET(assign)(open, copy);
        open = &copy->child[!upper];
        half[upper] = ORDO_SET(tree_see)(t, *open);
    }
    ORDO_SET(assign)(open, half[0] ? half[0] : half[1]);
    return ORDO_SET(free)(t, node) ? -1 : 1;
}

/** 1: the set has the key; 0: the set does not have it; ORDO_E_DISRUPTED: as ORDO_SET(list_contains). */
static inline int ORDO_SET(tree_contains)(struct ORDO_SET(thread) * t, struct ORDO_SET(tree) * tree, uint64_t key)
{
    int found = ORDO_SET(reader_lock)(t);
    if (found != ORDO_OK)
        return found;
    found = ORDO_SET(tree_contains_in)(t, tree, key);
    (void)ORDO_SET(reader_unlock)(t);
    return found;
}

/** 1: added; 0: the set has the key already; or an error of ORDO_SET(list_add). */
static inline int ORDO_SET(tree_add)(struct ORDO_SET(thread) * t, struct ORDO_SET(tree) * tree, uint64_t key)
{
    int result;
    ORDO_SET_SECTION(t, result, ORDO_SET(tree_add_in)(t, tree, key));
    return result;
}

/** 1: removed; 0: the set does not have the key; or an error of ORDO_SET(list_add). */
static inline int ORDO_SET(tree_remove)(struct ORDO_SET(thread) * t, struct ORDO_SET(tree) * tree, uint64_t key)
{
    int result;
    ORDO_SET_SECTION(t, result, ORDO_SET(tree_remove_in)(t, tree, key));
    return result;
}

/* Returns the number of keys in the subtree of `node`, or ORDO_E_INVALID if a key is not in [low, high], is out of
 * order, or has a priority above `priority`, or if a node is locked. */
static inline int64_t ORDO_SET(tree_audit_below)(const struct ORDO_SET(tree_node) * node, uint64_t low, uint64_t high,
                                                 uint64_t priority)
{
    int64_t smaller, greater;
    uint64_t own;
    if (!node)
        return 0;
    own = ORDO_SET(tree_priority)(node->key);
    if (((const struct ordo_rlu_header *)node - 1)->copy || node->key < low || node->key > high || own > priority ||
        (node->child[0] && node->key == 0) || (node->child[1] && node->key == UINT64_MAX))
        return ORDO_E_INVALID;
    smaller = ORDO_SET(tree_audit_below)(node->child[0], low, node->key - 1, own);
    greater = ORDO_SET(tree_audit_below)(node->child[1], node->key + 1, high, own);
    if (smaller < 0 || greater < 0)
        return ORDO_E_INVALID;
    return smaller + greater + 1;
}

/** Returns the number of keys, or ORDO_E_INVALID: the nodes are out of order, or a node is locked. Call it when
 * ORDO_SET(list_audit) may be called. */
static inline int64_t ORDO_SET(tree_audit)(const struct ORDO_SET(tree) * tree)
{
    if (tree->header.copy || tree->root.child[1])
        return ORDO_E_INVALID;
    return ORDO_SET(tree_audit_below)(tree->root.child[0], 0, UINT64_MAX, UINT64_MAX);
}

/** Removes and frees all nodes. Call it when ORDO_SET(list_clear) may be called. */
static inline void ORDO_SET(tree_clear)(struct ORDO_SET_DOMAIN *domain, struct ORDO_SET(tree) * tree)
{
    struct ORDO_SET(tree_node) **link = &tree->root.child[0], *node;
    /* moves child[1] to the rightmost end of child[0], so that child[0] becomes the whole tree, and frees the node */
    while ((node = *link) != NULL) {
        struct ORDO_SET(tree_node) **end = &node->child[0];
        while (*end)
            end = &(*end)->child[1];
        *end = node->child[1];
        *link = node->child[0];
        ORDO_SET(discard)(domain, node);
    }
}
