/* The binomial tree of a group: rank 0 is its root; the order in which parents meet their children.
 *
 * With 2^n <= size: below 2^n, rank r with r mod 2^i = 0 is the parent of r + 2^(i-1) for i = n..1; each rank from 2^n
 * on is the child of r - 2^n. Each rank but rank 0 has one parent, and is done after n + 1 rounds. (Hunold and
 * Carpen-Amarie, CLUSTER 2018, Algorithm 1.) */
#ifndef ORDO_CLUSTER_SYNC_TREE_H
#define ORDO_CLUSTER_SYNC_TREE_H

#include "cluster/sync/model.h"
#include "cluster/transport/transport.h"

/** A rank's step with one neighbour; `child`: this rank is the child of the two. Returns 0, or a negative code that
 * ends the walk. */
typedef int ordo_tree_step(struct ordo_transport *transport, int neighbour, bool child, void *context);

/** Walks from the root down: a rank meets its parent before its children. */
int ordo_tree_down(struct ordo_transport *transport, ordo_tree_step *step, void *context);

/** Walks from the leaves up: a rank meets its children before its parent. */
int ordo_tree_up(struct ordo_transport *transport, ordo_tree_step *step, void *context);

/** Collective: `*value` becomes the smallest value of all ranks. */
int ordo_tree_least(struct ordo_transport *transport, int64_t *value);

/** Collective: each rank's model against rank 0 becomes one against the reference of `root`, which is used on rank 0
 * only. */
int ordo_tree_put_on(struct ordo_transport *transport, const struct ordo_model *root, struct ordo_model *model);

/** Collective: narrows the offset of each model by one more measurement of `pingpong` exchanges between every rank and
 * its parent, from the root down. All models are relative to one reference, that of rank 0's model. An offset learnt in
 * the first round ages until the last round by the whole drift that its link leaves possible; this pass takes no longer
 * than its messages. A contradiction leaves the model unknown and fills `error`, as in the other steps of an
 * algorithm. */
int ordo_tree_narrow(struct ordo_transport *transport, int pingpong, struct ordo_model *model,
                     struct ordo_error *error);

#endif
