/* A map from numbers to words: a red-black tree in transactional memory (L. Guibas, R. Sedgewick, FOCS 1978). Codes and
 * transactions as in stm/list.h.
 *
 * No node points upwards: a change remembers the path from the root. A search therefore reads one word for each level,
 * and a change writes only near the end of its path. Keys do not move from node to node and never change, and are
 * therefore read as plain memory.
 */
#ifndef ORDO_CC_STM_TREE_H
#define ORDO_CC_STM_TREE_H

#include <ordo/cc/stm.h>

enum { ORDO_STM_TREE_HEIGHT = 130 }; /* twice the logarithm of the number of nodes, plus rotations of a removal */

struct ordo_stm_tree_node {
    uint64_t key;
    uint64_t child[2]; /* words: lower keys, higher keys; a node, or 0 */
    uint64_t red;      /* a word */
    uint64_t value;    /* a word of the caller, for ordo_stm_read and ordo_stm_write */
};

/** All zero is empty. */
struct ordo_stm_tree {
    uint64_t root; /* a word, as child; black */
};

/* The path from the root: its nodes, and the side taken at each. */
struct ordo_stm_tree_way {
    struct ordo_stm_tree *tree;
    struct ordo_stm_tree_node *at[ORDO_STM_TREE_HEIGHT];
    int side[ORDO_STM_TREE_HEIGHT];
    int depth; /* nodes on the path */
};

/* Read or write a word in a function that returns a code, or return the code. */
#define ORDO_STM_TREE_READ(t, word, into)                                                                              \
    do {                                                                                                               \
        int ordo_stm_tree_code = ordo_stm_read(t, word, into);                                                         \
        if (ordo_stm_tree_code)                                                                                        \
            return ordo_stm_tree_code;                                                                                 \
    } while (0)
#define ORDO_STM_TREE_WRITE(t, word, value)                                                                            \
    do {                                                                                                               \
        int ordo_stm_tree_code = ordo_stm_write(t, word, value);                                                       \
        if (ordo_stm_tree_code)                                                                                        \
            return ordo_stm_tree_code;                                                                                 \
    } while (0)

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

/* Finds the path to the place of a key; the node there is `*node`, or NULL. */
static inline int ordo_stm_tree_seek(struct ordo_stm_thread *t, struct ordo_stm_tree *tree, uint64_t key,
                                     struct ordo_stm_tree_way *way, struct ordo_stm_tree_node **node)
{
    uint64_t word;
    way->tree = tree;
    for (way->depth = 0;; way->depth++) {
        ORDO_STM_TREE_READ(t, ordo_stm_tree_link(way, way->depth), &word);
        *node = ordo_stm_tree_at(word);
        if (!*node || (*node)->key == key)
            return ORDO_OK;
        way->at[way->depth] = *node;
        way->side[way->depth] = (*node)->key < key;
    }
}

/** Finds the node of a key, whose value may be read and written in the same transaction; `*node` is NULL if it has
 * none. Returns 0. */
static inline int ordo_stm_tree_find_in(struct ordo_stm_thread *t, struct ordo_stm_tree *tree, uint64_t key,
                                        struct ordo_stm_tree_node **node)
{
    uint64_t *at = &tree->root, word;
    for (;;) {
        ORDO_STM_TREE_READ(t, at, &word);
        *node = ordo_stm_tree_at(word);
        if (!*node || (*node)->key == key)
            return ORDO_OK;
        at = &(*node)->child[(*node)->key < key];
    }
}

/** 1: the map has the key; 0: it has not. */
static inline int ordo_stm_tree_contains_in(struct ordo_stm_thread *t, struct ordo_stm_tree *tree, uint64_t key)
{
    struct ordo_stm_tree_node *node = NULL;
    int code = ordo_stm_tree_find_in(t, tree, key, &node);
    return code ? code : node != NULL;
}

/* Rotates if the i-th node of the path and its father are red: `lifted` moves up, and becomes the black father of the
 * other two. */
static inline int ordo_stm_tree_add_turn(struct ordo_stm_thread *t, struct ordo_stm_tree_way *way, int i,
                                         struct ordo_stm_tree_node *node)
{
    struct ordo_stm_tree_node *father = way->at[i - 1], *grandfather = way->at[i - 2], *lifted = father;
    int side = way->side[i - 2];
    uint64_t word;
    if (way->side[i - 1] != side) { /* an inner grandchild: rotated with its father first */
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

/* The path now ends at a red node: restores the rule that a red node has no red child. */
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
    return ordo_stm_write(t, &node->red, 0); /* the root */
}

/** 1: added, with that value; 0: it was there, and keeps its own. */
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

/** 1: added, with the value 0; 0: it was there. */
static inline int ordo_stm_tree_add_in(struct ordo_stm_thread *t, struct ordo_stm_tree *tree, uint64_t key)
{
    return ordo_stm_tree_put_in(t, tree, key, 0);
}

/* Rotates at the i-th node of the path, whose child `up` is on the side other than the path's: `up` takes the node's
 * place, and the node goes down */
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

/* Moves a red `brother` (sibling) up: the path becomes longer by it, and the new `brother` is black. */
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
    if (!far_red) { /* the nearer one is red: it becomes the brother */
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

/* Repairs the i-th node of the path, below which every path on this side has one black node too few.
 * `*over` 1: the repair is complete; 0: the same now holds one level higher. */
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

/* Repairs the tree after a black node at the end of the path was replaced by `child`. */
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

/* Extends the path from its last node, which has two children, to the node of the next higher key. */
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

/* Puts `next` in the place of the i-th node of the path, with that node's colour. */
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

/** 1: removed; 0: it was not there. */
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

/** As the functions that end in _in, each in a transaction of its own. */
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

/* Returns the number of keys below, and in `*black` the number of black nodes on every path; or ORDO_E_INVALID if a key
 * is not in [low, high] or the paths differ. */
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

/** Returns the number of keys; or ORDO_E_INVALID: they are out of order, or the colours are wrong. No thread uses the
 * tree. */
static inline int64_t ordo_stm_tree_audit(const struct ordo_stm_tree *tree)
{
    int black;
    return ordo_stm_tree_audit_below(ordo_stm_tree_at(tree->root), 0, UINT64_MAX, 1, &black);
}

/** Removes and frees everything. No thread uses the tree. */
static inline void ordo_stm_tree_clear(struct ordo_stm *stm, struct ordo_stm_tree *tree)
{
    struct ordo_stm_tree_node *node, *end;
    while ((node = ordo_stm_tree_at(tree->root)) != NULL) { /* moves the higher keys below the last of the lower ones */
        if (node->child[0]) {
            for (end = ordo_stm_tree_at(node->child[0]); end->child[1];)
                end = ordo_stm_tree_at(end->child[1]);
            end->child[1] = node->child[1];
        }
        tree->root = node->child[0] ? node->child[0] : node->child[1];
        ordo_stm_discard(stm, node);
    }
}

#undef ORDO_STM_TREE_READ
#undef ORDO_STM_TREE_WRITE

#endif
