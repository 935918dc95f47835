/* A binomial tree: messages go up to the root, and then down. Both ways have log2 p hops. */
#include "cluster/sync/tree.h"
#include "cluster/barrier/barrier.h"

static int up_step(struct ordo_transport *t, int neighbour, bool child, void *context)
{
    (void)context;
    return child ? ordo_barrier_tell(t, neighbour) : ordo_barrier_hear(t, neighbour);
}

static int down_step(struct ordo_transport *t, int neighbour, bool child, void *context)
{
    (void)context;
    return child ? ordo_barrier_hear(t, neighbour) : ordo_barrier_tell(t, neighbour);
}

static int tree_barrier(struct ordo_transport *t)
{
    int code = ordo_tree_up(t, up_step, NULL);
    return code ? code : ordo_tree_down(t, down_step, NULL);
}

const struct ordo_barrier ordo_barrier_tree = {
    .name = "tree", .title = "up a binomial tree, then down: 2 (p - 1) messages", .run = tree_barrier};
