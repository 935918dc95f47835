/* The structures for a single thread: a sorted list, a hash of such lists, a search tree. A program with several
 * threads must hold a lock. Operations return the codes of struct rlu_engine. */
#ifndef BENCH_RLU_PLAIN_H
#define BENCH_RLU_PLAIN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/error.h"

struct plain_node {
    uint64_t key;
    struct plain_node *next;
};

/** A list is a pointer to its first node. A list that is all zero is empty. */
struct plain_list {
    struct plain_node *first;
};

/** Returns the index of the list that a key belongs to in a hash. All engines except lfht use this function. */
static inline uint64_t plain_bucket(uint64_t key, uint64_t buckets)
{
    return (key * UINT64_C(0x9e3779b97f4a7c15) >> 32) * buckets >> 32;
}

/** Returns the address of the pointer to the first node whose key is >= `key`. */
static inline struct plain_node **plain_list_find(struct plain_list *list, uint64_t key)
{
    struct plain_node **at = &list->first;
    while (*at && (*at)->key < key)
        at = &(*at)->next;
    return at;
}

static inline int plain_list_contains(struct plain_list *list, uint64_t key)
{
    struct plain_node **at = plain_list_find(list, key);
    return *at && (*at)->key == key;
}

static inline int plain_list_add(struct plain_list *list, uint64_t key)
{
    struct plain_node **at = plain_list_find(list, key);
    if (*at && (*at)->key == key)
        return 0;
    struct plain_node *node = malloc(sizeof *node);
    if (!node)
        return -1;
    *node = (struct plain_node){key, *at};
    *at = node;
    return 1;
}

static inline int plain_list_remove(struct plain_list *list, uint64_t key)
{
    struct plain_node **at = plain_list_find(list, key), *node = *at;
    if (!node || node->key != key)
        return 0;
    *at = node->next;
    free(node);
    return 1;
}

/** Removes `key` from its list and adds `other` to the other list, or the other way round if the first list does not
 * have `key`. 1: moved; 0: neither list has its key; -1: out of memory. */
static inline int plain_list_move(struct plain_list *of_key, uint64_t key, struct plain_list *of_other, uint64_t other)
{
    if (plain_list_remove(of_key, key))
        return plain_list_add(of_other, other);
    return plain_list_remove(of_other, other) ? plain_list_add(of_key, key) : 0;
}

/** Adds the number of nodes of a list to `count`. Returns ORDO_OK if the keys ascend, are below `range` and belong to
 * this bucket. */
int plain_list_audit(const struct plain_node *first, uint64_t range, uint64_t buckets, uint64_t bucket, uint64_t *count,
                     struct ordo_error *error);

void plain_list_free(struct plain_node *first);

struct plain_leaf {
    uint64_t key;
    struct plain_leaf *child[2]; /* lower keys, higher keys */
};

/** A search tree. It does not balance itself, because the keys are random. A tree that is all zero is empty. */
struct plain_tree {
    struct plain_leaf *root;
};

static inline struct plain_leaf **plain_tree_find(struct plain_tree *tree, uint64_t key)
{
    struct plain_leaf **at = &tree->root;
    while (*at && (*at)->key != key)
        at = &(*at)->child[(*at)->key < key];
    return at;
}

static inline int plain_tree_contains(struct plain_tree *tree, uint64_t key)
{
    return *plain_tree_find(tree, key) != NULL;
}

int plain_tree_add(struct plain_tree *tree, uint64_t key);
int plain_tree_remove(struct plain_tree *tree, uint64_t key);

/** Audits a tree, as plain_list_audit() audits a list. */
int plain_tree_audit(const struct plain_tree *tree, uint64_t range, uint64_t *count, struct ordo_error *error);

void plain_tree_free(struct plain_tree *tree);

#endif
