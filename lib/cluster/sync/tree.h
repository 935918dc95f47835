/* The binomial tree of a group, with rank 0 as its root, and the order in which parents meet their children (Hunold and
 * Carpen-Amarie, CLUSTER 2018, Algorithm 1).
 *
 * Let 2^n be the largest power of 2 that is <= size. Each rank except rank 0 has one parent:
 * - in round i = n, ..., 1, each rank r < 2^n with r mod 2^i = 0 is the parent of rank r + 2^(i-1);
 * - in round 0, each rank r >= 2^n is the child of rank r - 2^n.
 * A walk from the root down does the rounds in this order, a walk from the leaves up in the opposite order. */
#ifndef ORDO_CLUSTER_SYNC_TREE_H
#define ORDO_CLUSTER_SYNC_TREE_H

#include "cluster/sync/model.h"
#include "cluster/transport/transport.h"

/** The step of a rank with one neighbour in the tree. `child`: this rank is the child of the neighbour, else its
 * parent. Returns 0, or a negative code, which ends the walk. */
typedef int ordo_tree_step(struct ordo_transport *transport, int neighbour, bool child, void *context);

/** Walks from the root down: each rank does the step with its parent before the steps with its children. */
int ordo_tree_down(struct ordo_transport *transport, ordo_tree_step *step, void *context);

/** Walks from the leaves up: each rank does the steps with its children before the step with its parent. */
int ordo_tree_up(struct ordo_transport *transport, ordo_tree_step *step, void *context);

/** Collective: sets `*value` to the smallest value of all ranks. */
int ordo_tree_least(struct ordo_transport *transport, int64_t *value);

/** Collective: `root` is the model of rank 0 against some reference, and is used on rank 0 only. Turns each rank's
 * model against rank 0 into a model against that reference. */
int ordo_tree_put_on(struct ordo_transport *transport, const struct ordo_model *root, struct ordo_model *model);

/** Collective: narrows the offset of each model by one more measurement, with `pingpong` exchanges between each rank
 * and its parent, from the root down. All models must have the same reference.
 *
 * While an algorithm learns the other links, the bounds of an offset get wider by the drift that its link may have.
 * This pass is short, because it takes only the time of its messages. A contradiction leaves the model unknown and
 * fills `error`, as in the algorithms; the return code is about the transport only. */
int ordo_tree_narrow(struct ordo_transport *transport, int pingpong, struct ordo_model *model,
                     struct ordo_error *error);

#endif
