/* Every rank sends to rank 0, which answers all of them when the last message has arrived. */
#include "cluster/barrier/barrier.h"

static int linear_barrier(struct ordo_transport *t)
{
    int code = ORDO_OK;
    if (t->rank != 0) {
        code = ordo_barrier_tell(t, 0);
        return code ? code : ordo_barrier_hear(t, 0);
    }
    for (int rank = 1; rank < t->size && !code; rank++)
        code = ordo_barrier_hear(t, rank);
    for (int rank = 1; rank < t->size && !code; rank++)
        code = ordo_barrier_tell(t, rank);
    return code;
}

const struct ordo_barrier ordo_barrier_linear = {
    .name = "linear", .title = "rank 0 hears all ranks, then answers all: 2 (p - 1) messages", .run = linear_barrier};
