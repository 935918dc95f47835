/* A loser tree: finds the smallest of K keys. After the smallest key has grown, the tree finds the new smallest key in
 * log2 K comparisons.
 *
 * After D. E. Knuth, "The Art of Computer Programming" vol. 3, section 5.4.1 (tree of losers). Leaf i holds keys[i];
 * each inner node holds the leaf that lost there, and node 0 holds the winner. Only the winner's key may be changed,
 * because the losers on the winner's path are exactly the leaves that have lost to the winner. Each change needs one
 * replay.
 *
 * A replay has no branch that depends on the keys. If streams alternate at random, such a branch would be mispredicted
 * at every other node, which costs more than the comparison.
 *
 * One thread uses a tree at a time. The memory is the caller's.
 */
#ifndef ORDO_MERGE_TREE_H
#define ORDO_MERGE_TREE_H

#include <stdint.h>

struct ordo_merge_tree {
    uint64_t *keys;   /* [count] the smaller key wins; if two keys are equal and not 0, the lower leaf wins */
    uint32_t *losers; /* [count] losers[0] is the winner */
    uint32_t count;
};

#define ORDO_MERGE_TREE_NONE UINT32_MAX

/* Returns the node of `leaf`. From left to right the leaves are in the order of their numbers. Let P be the smallest
 * power of two that is at least K. Nodes P .. 2K - 1 are the first leaves, on the lowest level; nodes K .. P - 1 are
 * the other leaves, one level higher. */
static inline uint32_t ordo_merge_tree_node(const struct ordo_merge_tree *tree, uint32_t leaf)
{
    uint32_t count = tree->count, power = 1;
    if (count > 1)
        power = UINT32_C(2) << (31 - __builtin_clz(count - 1));
    return leaf < 2 * count - power ? power + leaf : power + leaf - count;
}

/** Compares the changed key of `leaf`, the winner, with the losers on its path to the root. Returns the new winner. */
static inline uint32_t ordo_merge_tree_replay(const struct ordo_merge_tree *tree, uint32_t leaf)
{
    const uint64_t *keys = tree->keys;
    uint32_t *losers = tree->losers, winner = leaf, node;
    uint64_t key = keys[leaf];
    for (node = ordo_merge_tree_node(tree, leaf); node > 1; node /= 2) {
        uint32_t other = losers[node / 2];
        uint64_t other_key = keys[other];
        /* In a tie the key from the right side loses. The side is known before the key is loaded, so only one
         * comparison is on the critical path. */
        uint64_t lowered = other_key - (uint64_t)((node & 1) & (other_key != 0));
        uint64_t beaten = (uint64_t)0 - (uint64_t)(lowered < key);
        losers[node / 2] = other ^ ((other ^ winner) & (uint32_t)beaten);
        winner ^= (winner ^ other) & (uint32_t)beaten;
        key ^= (key ^ other_key) & beaten;
    }
    losers[0] = winner;
    return winner;
}

/* Moves `leaf` up to the first empty node and leaves it there to wait for its opponent. The leaf from the left side of
 * a node arrives first; the leaf from the right side finds it waiting, and plays against it. The winner moves on. */
static inline void ordo_merge_tree_enter(const struct ordo_merge_tree *tree, uint32_t leaf)
{
    uint32_t winner = leaf, node;
    for (node = ordo_merge_tree_node(tree, leaf) / 2; node > 0; node /= 2) {
        uint32_t other = tree->losers[node];
        if (other == ORDO_MERGE_TREE_NONE) {
            tree->losers[node] = winner;
            return;
        }
        if (tree->keys[other] <= tree->keys[winner]) {
            tree->losers[node] = winner;
            winner = other;
        }
    }
    tree->losers[0] = winner;
}

/** Builds the tree from the keys. There may be any number of leaves; without leaves there is no winner. */
static inline void ordo_merge_tree_build(const struct ordo_merge_tree *tree)
{
    uint32_t i;
    for (i = 0; i < tree->count; i++)
        tree->losers[i] = ORDO_MERGE_TREE_NONE;
    for (i = 0; i < tree->count; i++)
        ordo_merge_tree_enter(tree, i);
}

/** Returns the leaf with the smallest key; ORDO_MERGE_TREE_NONE if there is no leaf. */
static inline uint32_t ordo_merge_tree_winner(const struct ordo_merge_tree *tree)
{
    return tree->count ? tree->losers[0] : ORDO_MERGE_TREE_NONE;
}

#endif
