/* A map from numbers to words: a red-black tree in transactional memory (L. Guibas, R. Sedgewick, FOCS 1978). Codes and
 * transactions as in stm/list.h.
 *
 * No node points to its father: a change remembers the path from the root instead. A search therefore reads one word
 * for each level, and a change writes only near the end of its path. The key of a node never changes, and is therefore
 * read as plain memory.
 */
#ifndef ORDO_CC_STM_TREE_H
#define ORDO_CC_STM_TREE_H

#include <ordo/cc/stm.h>

/* longest path: twice the binary logarithm of the number of nodes, plus the rotations of a removal */
enum { ORDO_STM_TREE_HEIGHT = 130 };

struct ordo_stm_tree_node {
    uint64_t key;
    uint64_t child[2]; /* transactional words: a node or 0; [0]: lower keys, [1]: higher keys */
    uint64_t red;      /* a transactional word: 1 if the node is red, 0 if it is black */
    uint64_t value;    /* a transactional word for the caller's use */
};

/** A tree. All zero: an empty tree. */
struct ordo_stm_tree {
    uint64_t root; /* a transactional word: the root, which is black, or 0 */
};

/* A path from the root: its nodes, and the side (0 or 1) that it takes at each node. */
struct ordo_stm_tree_way {
    struct ordo_stm_tree *tree;
    struct ordo_stm_tree_node *at[ORDO_STM_TREE_HEIGHT];
    int side[ORDO_STM_TREE_HEIGHT];
    int depth; /* number of nodes on the path */
};

/* If the call fails, the function that uses one of these macros returns its code. */
#define ORDO_STM_TREE_TRY(call)                                                                                        \
    do {                                                                                                               \
        int ordo_stm_tree_code = call;                                                                                 \
        if (ordo_stm_tree_code)                                                                                        \
            return ordo_stm_tree_code;                                                                                 \
    } while (0)
#define ORDO_STM_TREE_READ(t, word, into) ORDO_STM_TREE_TRY(ordo_stm_read(t, word, into))
#define ORDO_STM_TREE_WRITE(t, word, value) ORDO_STM_TREE_TRY(ordo_stm_write(t, word, value))

static inline struct ordo_stm_tree_node *ordo_stm_tree_at(uint64_t word)
{
    return (struct ordo_stm_tree_node *)(uintptr_t)word;
}

/* Reads a child of a node. */
static inline int ordo_stm_tree_child(struct ordo_stm_thread *t, struct ordo_stm_tree_node *node, int side,
                                      struct ordo_stm_tree_node **child)
{
    uint64_t word;
    ORDO_STM_TREE_READ(t, &node->child[side], &word);
    *child = ordo_stm_tree_at(word);
    return ORDO_OK;
}

/* Sets `*red` to 1 if the node exists and is red. */
static inline int ordo_stm_tree_is_red(struct ordo_stm_thread *t, struct ordo_stm_tree_node *node, uint64_t *red)
{
    *red = 0;
    return node ? ordo_stm_read(t, &node->red, red) : ORDO_OK;
}

/* Returns the word that points to the i-th node of the path. */
static inline uint64_t *ordo_stm_tree_link(struct ordo_stm_tree_way *way, int i)
{
    return i ? &way->at[i - 1]->child[way->side[i - 1]] : &way->tree->root;
}

/* Finds the path to a key, or to the link at which the key would be added. Sets `*node` to the node of the key, or to
 * NULL. */
static inline int ordo_stm_tree_seek(struct ordo_stm_thread *t, struct ordo_stm_tree *tree, uint64_t key,
                                     struct ordo_stm_tree_way *way, struct ordo_stm_tree_node **node)
{
    struct ordo_stm_tree_node *at;
    struct ordo_stm_view view;
    uint64_t *link = &tree->root, word;
    int keeps = ordo_stm_keeps(t), depth = 0;
    ordo_stm_view_begin(t, &view);
    for (;; depth++) {
        ORDO_STM_TREE_TRY(ordo_stm_read_by(t, &view, keeps, link, &word));
        at = ordo_stm_tree_at(word);
        if (!at || at->key == key)
            break;
        way->at[depth] = at;
        way->side[depth] = at->key < key;
        link = &at->child[at->key < key];
    }
    way->tree = tree;
    way->depth = depth;
    *node = at;
    ordo_stm_view_end(t, &view, keeps);
    return ORDO_OK;
}

/** Sets `*node` to the node of a key, or to NULL if the map does not have the key. The caller may read and write the
 * node's value in the same transaction. Returns 0, or an error as in stm/list.h. */
static inline int ordo_stm_tree_find_in(struct ordo_stm_thread *t, struct ordo_stm_tree *tree, uint64_t key,
                                        struct ordo_stm_tree_node **node)
{
    struct ordo_stm_tree_node *at;
    struct ordo_stm_view view;
    uint64_t *link = &tree->root, word;
    int keeps = ordo_stm_keeps(t);
    ordo_stm_view_begin(t, &view);
    for (;;) {
        ORDO_STM_TREE_TRY(ordo_stm_read_by(t, &view, keeps, link, &word));
        at = ordo_stm_tree_at(word);
        if (!at || at->key == key)
            break;
        link = &at->child[at->key < key];
    }
    *node = at;
    ordo_stm_view_end(t, &view, keeps);
    return ORDO_OK;
}

/** 1: the map has the key; 0: the map does not have it; or an error. */
static inline int ordo_stm_tree_contains_in(struct ordo_stm_thread *t, struct ordo_stm_tree *tree, uint64_t key)
{
    struct ordo_stm_tree_node *node = NULL;
    int code = ordo_stm_tree_find_in(t, tree, key, &node);
    return code ? code : node != NULL;
}

/* Repairs two red nodes, `node` and its father way->at[i - 1], by a rotation: `lifted` moves up, and becomes the black
 * father of the other red node and of the grandfather. */
static inline int ordo_stm_tree_add_turn(struct ordo_stm_thread *t, struct ordo_stm_tree_way *way, int i,
                                         struct ordo_stm_tree_node *node)
{
    struct ordo_stm_tree_node *father = way->at[i - 1], *grandfather = way->at[i - 2], *lifted = father;
    int side = way->side[i - 2];
    uint64_t word;
    if (way->side[i - 1] != side) { /* `node` is an inner grandchild: it is rotated with its father first */
        lifted = node;
        ORDO_STM_TREE_READ(t, &node->child[side], &word);
        ORDO_STM_TREE_WRITE(t, &father->child[!side], word);
        ORDO_STM_TREE_WRITE(t, &node->child[side], (uintptr_t)father);
    }
    ORDO_STM_TREE_READ(t, &lifted->child[!side], &word);
    ORDO_STM_TREE_WRITE(t, &grandfather->child[side], word);
    ORDO_STM_TREE_WRITE(t, &lifted->child[!side], (uintptr_t)grandfather);
    ORDO_STM_TREE_WRITE(t, ordo_stm_tree_link(way, i - 2), (uintptr_t)lifted);
    ORDO_STM_TREE_WRITE(t, &lifted->red, 0);
    ORDO_STM_TREE_WRITE(t, &grandfather->red, 1);
    return ORDO_OK;
}

/* After the red `node` was added at the end of the path: restores the rule that a red node has no red child. */
static inline int ordo_stm_tree_add_fix(struct ordo_stm_thread *t, struct ordo_stm_tree_way *way,
                                        struct ordo_stm_tree_node *node)
{
    struct ordo_stm_tree_node *uncle = NULL;
    uint64_t red;
    int i;
    for (i = way->depth; i > 0; i -= 2) {
        ORDO_STM_TREE_READ(t, &way->at[i - 1]->red, &red);
        if (!red)
            return ORDO_OK;
        ORDO_STM_TREE_READ(t, &way->at[i - 2]->child[!way->side[i - 2]], &red);
        uncle = ordo_stm_tree_at(red);
        if (ordo_stm_tree_is_red(t, uncle, &red))
            return t->code;
        if (!red)
            return ordo_stm_tree_add_turn(t, way, i, node);
        ORDO_STM_TREE_WRITE(t, &way->at[i - 1]->red, 0);
        ORDO_STM_TREE_WRITE(t, &uncle->red, 0);
        node = way->at[i - 2];
        ORDO_STM_TREE_WRITE(t, &node->red, 1);
    }
    return ordo_stm_write(t, &node->red, 0); /* `node` is the root, which is black */
}

/** 1: added, with this value; 0: the map has the key already, whose value is unchanged; or an error. */
static inline int ordo_stm_tree_put_in(struct ordo_stm_thread *t, struct ordo_stm_tree *tree, uint64_t key,
                                       uint64_t value)
{
    struct ordo_stm_tree_way way;
    struct ordo_stm_tree_node *node = NULL;
    int code = ordo_stm_tree_seek(t, tree, key, &way, &node);
    if (code || node)
        return code;
    node = (struct ordo_stm_tree_node *)ordo_stm_alloc(t, sizeof *node);
    if (!node)
        return ORDO_E_SYSTEM;
    node->key = key;
    node->child[0] = node->child[1] = 0;
    node->red = 1;
    node->value = value;
    ORDO_STM_TREE_WRITE(t, ordo_stm_tree_link(&way, way.depth), (uintptr_t)node);
    code = ordo_stm_tree_add_fix(t, &way, node);
    return code ? code : 1;
}

/** 1: added, with the value 0; 0: the map has the key already; or an error. */
static inline int ordo_stm_tree_add_in(struct ordo_stm_thread *t, struct ordo_stm_tree *tree, uint64_t key)
{
    return ordo_stm_tree_put_in(t, tree, key, 0);
}

/* Rotates at the i-th node of the path, whose child `up` is not on the path: `up` replaces the node, and the node
 * becomes a child of `up`. */
static inline int ordo_stm_tree_turn(struct ordo_stm_thread *t, struct ordo_stm_tree_way *way, int i,
                                     struct ordo_stm_tree_node *up)
{
    struct ordo_stm_tree_node *node = way->at[i];
    int side = way->side[i];
    uint64_t word;
    ORDO_STM_TREE_READ(t, &up->child[side], &word);
    ORDO_STM_TREE_WRITE(t, &node->child[!side], word);
    ORDO_STM_TREE_WRITE(t, &up->child[side], (uintptr_t)node);
    ORDO_STM_TREE_WRITE(t, ordo_stm_tree_link(way, i), (uintptr_t)up);
    return ORDO_OK;
}

/* Rotates a red `brother` (sibling of the path's next node) into the path, which becomes one node longer. Sets
 * `*brother` to the new sibling, which is black. */
static inline int ordo_stm_tree_brother_up(struct ordo_stm_thread *t, struct ordo_stm_tree_way *way, int i,
                                           struct ordo_stm_tree_node **brother)
{
    struct ordo_stm_tree_node *father = way->at[i], *up = *brother;
    int code = ordo_stm_tree_turn(t, way, i, up);
    if (code)
        return code;
    ORDO_STM_TREE_WRITE(t, &up->red, 0);
    ORDO_STM_TREE_WRITE(t, &father->red, 1);
    way->at[i] = up;
    way->at[i + 1] = father;
    way->side[i + 1] = way->side[i];
    return ordo_stm_tree_child(t, father, !way->side[i], brother);
}

/* Rotates a black `brother` that has a red child, so that all paths have the same number of black nodes again. */
static inline int ordo_stm_tree_remove_turn(struct ordo_stm_thread *t, struct ordo_stm_tree_way *way, int i,
                                            struct ordo_stm_tree_node *brother, struct ordo_stm_tree_node *nearer,
                                            struct ordo_stm_tree_node *farther, uint64_t far_red)
{
    struct ordo_stm_tree_node *father = way->at[i];
    int side = way->side[i];
    uint64_t word;
    if (!far_red) { /* `nearer` is red, and becomes the brother */
        ORDO_STM_TREE_READ(t, &nearer->child[!side], &word);
        ORDO_STM_TREE_WRITE(t, &brother->child[side], word);
        ORDO_STM_TREE_WRITE(t, &nearer->child[!side], (uintptr_t)brother);
        farther = brother;
        brother = nearer;
    }
    ORDO_STM_TREE_READ(t, &father->red, &word);
    ORDO_STM_TREE_WRITE(t, &brother->red, word);
    ORDO_STM_TREE_WRITE(t, &father->red, 0);
    ORDO_STM_TREE_WRITE(t, &farther->red, 0);
    return ordo_stm_tree_turn(t, way, i, brother);
}

/* Repairs the subtree of the i-th node of the path, in which every path through the side of this path has one black
 * node too few.
 * Sets `*over` to 1 if the repair is complete, or to 0 if the same step must be done one level higher. */
static inline int ordo_stm_tree_remove_step(struct ordo_stm_thread *t, struct ordo_stm_tree_way *way, int i, int *over)
{
    struct ordo_stm_tree_node *brother = NULL, *nearer = NULL, *farther = NULL;
    uint64_t red, near_red, far_red;
    int side = way->side[i], code = ordo_stm_tree_child(t, way->at[i], !side, &brother);
    if (code || (code = ordo_stm_tree_is_red(t, brother, &red)))
        return code;
    if (red && (code = ordo_stm_tree_brother_up(t, way, i++, &brother)) != ORDO_OK)
        return code;
    if ((code = ordo_stm_tree_child(t, brother, side, &nearer)) ||
        (code = ordo_stm_tree_child(t, brother, !side, &farther)) ||
        (code = ordo_stm_tree_is_red(t, nearer, &near_red)) || (code = ordo_stm_tree_is_red(t, farther, &far_red)))
        return code;
    *over = 1;
    if (near_red || far_red)
        return ordo_stm_tree_remove_turn(t, way, i, brother, nearer, farther, far_red);
    ORDO_STM_TREE_WRITE(t, &brother->red, 1);
    ORDO_STM_TREE_READ(t, &way->at[i]->red, &red);
    if (!red)
        *over = 0;
    else
        ORDO_STM_TREE_WRITE(t, &way->at[i]->red, 0);
    return ORDO_OK;
}

/* Repairs the tree after `child`, which may be NULL, has replaced a black node at the end of the path. */
static inline int ordo_stm_tree_remove_fix(struct ordo_stm_thread *t, struct ordo_stm_tree_way *way,
                                           struct ordo_stm_tree_node *child)
{
    uint64_t red;
    int i, over = 0, code = ordo_stm_tree_is_red(t, child, &red);
    if (code)
        return code;
    if (red)
        return ordo_stm_write(t, &child->red, 0);
    for (i = way->depth - 1; i >= 0 && !over && !code; i--)
        code = ordo_stm_tree_remove_step(t, way, i, &over);
    return code;
}

/* Extends the path from `node`, which has two children, to the node of the next higher key, which it stores in `*next`.
 */
static inline int ordo_stm_tree_next(struct ordo_stm_thread *t, struct ordo_stm_tree_way *way,
                                     struct ordo_stm_tree_node *node, struct ordo_stm_tree_node **next)
{
    struct ordo_stm_tree_node *below = NULL;
    int side = 1, code;
    *next = node;
    for (;; side = 0) {
        if ((code = ordo_stm_tree_child(t, *next, side, &below)) != ORDO_OK || !below)
            return code;
        way->at[way->depth] = *next;
        way->side[way->depth++] = side;
        *next = below;
    }
}

/* Replaces the i-th node of the path, which is `node`, by `next`, which gets the children and the colour of `node`. */
static inline int ordo_stm_tree_replace(struct ordo_stm_thread *t, struct ordo_stm_tree_way *way, int i,
                                        struct ordo_stm_tree_node *node, struct ordo_stm_tree_node *next)
{
    uint64_t word;
    int side;
    for (side = 0; side < 2; side++) {
        ORDO_STM_TREE_READ(t, &node->child[side], &word);
        ORDO_STM_TREE_WRITE(t, &next->child[side], word);
    }
    ORDO_STM_TREE_READ(t, &node->red, &word);
    ORDO_STM_TREE_WRITE(t, &next->red, word);
    ORDO_STM_TREE_WRITE(t, ordo_stm_tree_link(way, i), (uintptr_t)next);
    way->at[i] = next;
    return ORDO_OK;
}

/** 1: removed; 0: the map does not have the key; or an error. */
static inline int ordo_stm_tree_remove_in(struct ordo_stm_thread *t, struct ordo_stm_tree *tree, uint64_t key)
{
    struct ordo_stm_tree_way way;
    struct ordo_stm_tree_node *node = NULL, *leaving, *child[2] = {NULL, NULL};
    uint64_t red;
    int place, code = ordo_stm_tree_seek(t, tree, key, &way, &node);
    if (code || !node)
        return code;
    if ((code = ordo_stm_tree_child(t, node, 0, &child[0])) || (code = ordo_stm_tree_child(t, node, 1, &child[1])))
        return code;
    place = way.depth;
    leaving = node;
    if (child[0] && child[1]) {
        if ((code = ordo_stm_tree_next(t, &way, node, &leaving)) ||
            (code = ordo_stm_tree_child(t, leaving, 1, &child[1])))
            return code;
        child[0] = NULL;
    }
    if (!child[0])
        child[0] = child[1];
    ORDO_STM_TREE_WRITE(t, ordo_stm_tree_link(&way, way.depth), (uintptr_t)child[0]);
    ORDO_STM_TREE_READ(t, &leaving->red, &red);
    if (leaving != node && (code = ordo_stm_tree_replace(t, &way, place, node, leaving)) != ORDO_OK)
        return code;
    if ((!red && (code = ordo_stm_tree_remove_fix(t, &way, child[0])) != ORDO_OK) ||
        (code = ordo_stm_free(t, node)) != ORDO_OK)
        return code;
    return 1;
}

/** The next functions are as those that end in _in, but each runs in a transaction of its own. */
static inline int ordo_stm_tree_contains(struct ordo_stm_thread *t, struct ordo_stm_tree *tree, uint64_t key)
{
    int result;
    ORDO_STM_ATOMICALLY(t, ORDO_STM_READ_ONLY, result, ordo_stm_tree_contains_in(t, tree, key));
    return result;
}

static inline int ordo_stm_tree_add(struct ordo_stm_thread *t, struct ordo_stm_tree *tree, uint64_t key)
{
    int result;
    ORDO_STM_ATOMICALLY(t, 0, result, ordo_stm_tree_add_in(t, tree, key));
    return result;
}

static inline int ordo_stm_tree_remove(struct ordo_stm_thread *t, struct ordo_stm_tree *tree, uint64_t key)
{
    int result;
    ORDO_STM_ATOMICALLY(t, 0, result, ordo_stm_tree_remove_in(t, tree, key));
    return result;
}

/* Returns the number of keys in the subtree of `node`, and sets `*black` to the number of black nodes on each of its
 * paths. Returns ORDO_E_INVALID if a key is not in [low, high], a colour is wrong, or the paths differ in their black
 * nodes. */
static inline int64_t ordo_stm_tree_audit_below(const struct ordo_stm_tree_node *node, uint64_t low, uint64_t high,
                                                uint64_t father_red, int *black)
{
    int64_t lower, higher;
    int other = 0;
    *black = 0;
    if (!node)
        return 0;
    if (node->key < low || node->key > high || (node->red && father_red) || (node->child[0] && node->key == 0) ||
        (node->child[1] && node->key == UINT64_MAX))
        return ORDO_E_INVALID;
    lower = ordo_stm_tree_audit_below(ordo_stm_tree_at(node->child[0]), low, node->key - 1, node->red, black);
    higher = ordo_stm_tree_audit_below(ordo_stm_tree_at(node->child[1]), node->key + 1, high, node->red, &other);
    if (lower < 0 || higher < 0 || *black != other)
        return ORDO_E_INVALID;
    *black += !node->red;
    return lower + higher + 1;
}

/** Returns the number of keys, or ORDO_E_INVALID: the keys are out of order, or the colours are wrong. Call it when no
 * other thread uses the tree. */
static inline int64_t ordo_stm_tree_audit(const struct ordo_stm_tree *tree)
{
    int black;
    return ordo_stm_tree_audit_below(ordo_stm_tree_at(tree->root), 0, UINT64_MAX, 1, &black);
}

/** Removes and frees all nodes. Call it when no other thread uses the tree. */
static inline void ordo_stm_tree_clear(struct ordo_stm *stm, struct ordo_stm_tree *tree)
{
    struct ordo_stm_tree_node *node, *end;
    /* moves child[1] below the highest node of child[0], so that child[0] becomes the tree, and frees the node */
    while ((node = ordo_stm_tree_at(tree->root)) != NULL) {
        if (node->child[0]) {
            for (end = ordo_stm_tree_at(node->child[0]); end->child[1];)
                end = ordo_stm_tree_at(end->child[1]);
            end->child[1] = node->child[1];
        }
        tree->root = node->child[0] ? node->child[0] : node->child[1];
        ordo_stm_discard(stm, node);
    }
}

#undef ORDO_STM_TREE_TRY
#undef ORDO_STM_TREE_READ
#undef ORDO_STM_TREE_WRITE

#endif
