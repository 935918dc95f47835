#include "rlu/plain.h"

#include <inttypes.h>

int plain_list_audit(const struct plain_node *first, uint64_t range, uint64_t buckets, uint64_t bucket, uint64_t *count,
                     struct ordo_error *error)
{
    uint64_t least = 0;
    for (const struct plain_node *node = first; node; node = node->next) {
        if (node->key < least || node->key >= range || plain_bucket(node->key, buckets) != bucket)
            return ordo_error_set(error, ORDO_E_INVALID, 0, "key %" PRIu64 " is out of order in list %" PRIu64,
                                  node->key, bucket);
        least = node->key + 1;
        ++*count;
    }
    return ORDO_OK;
}

void plain_list_free(struct plain_node *first)
{
    while (first) {
        struct plain_node *next = first->next;
        free(first);
        first = next;
    }
}

int plain_tree_add(struct plain_tree *tree, uint64_t key)
{
    struct plain_leaf **at = plain_tree_find(tree, key);
    if (*at)
        return 0;
    *at = malloc(sizeof **at);
    if (!*at)
        return -1;
    **at = (struct plain_leaf){.key = key};
    return 1;
}

/* Unlinks the node with the lowest key from a subtree, which is not empty. */
static struct plain_leaf *unlink_lowest(struct plain_leaf **at)
{
    while ((*at)->child[0])
        at = &(*at)->child[0];
    struct plain_leaf *lowest = *at;
    *at = lowest->child[1];
    return lowest;
}

int plain_tree_remove(struct plain_tree *tree, uint64_t key)
{
    struct plain_leaf **at = plain_tree_find(tree, key), *leaf = *at;
    if (!leaf)
        return 0;
    if (leaf->child[0] && leaf->child[1]) {
        struct plain_leaf *successor = unlink_lowest(&leaf->child[1]);
        successor->child[0] = leaf->child[0];
        successor->child[1] = leaf->child[1];
        *at = successor;
    } else {
        *at = leaf->child[leaf->child[0] == NULL];
    }
    free(leaf);
    return 1;
}

/* Audits a subtree. Its keys must be in [low, high). */
static int audit_subtree(const struct plain_leaf *leaf, uint64_t low, uint64_t high, uint64_t *count,
                         struct ordo_error *error)
{
    if (!leaf)
        return ORDO_OK;
    if (leaf->key < low || leaf->key >= high)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "key %" PRIu64 " is out of order in the tree", leaf->key);
    ++*count;
    int code = audit_subtree(leaf->child[0], low, leaf->key, count, error);
    return code ? code : audit_subtree(leaf->child[1], leaf->key + 1, high, count, error);
}

int plain_tree_audit(const struct plain_tree *tree, uint64_t range, uint64_t *count, struct ordo_error *error)
{
    return audit_subtree(tree->root, 0, range, count, error);
}

static void free_subtree(struct plain_leaf *leaf)
{
    if (!leaf)
        return;
    free_subtree(leaf->child[0]);
    free_subtree(leaf->child[1]);
    free(leaf);
}

void plain_tree_free(struct plain_tree *tree)
{
    free_subtree(tree->root);
    tree->root = NULL;
}
