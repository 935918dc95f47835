/* A token goes around the ring of all ranks twice. After the first round, rank 0 knows that all ranks have arrived; the
 * second round lets the ranks go, one after another. */
#include "cluster/barrier/barrier.h"

static int double_ring(struct ordo_transport *t)
{
    enum { ROUNDS = 2 };
    int left = (t->rank + t->size - 1) % t->size, right = (t->rank + 1) % t->size, code = ORDO_OK;
    for (int round = 0; round < ROUNDS && !code && t->size > 1; round++) {
        code = t->rank == 0 ? ordo_barrier_tell(t, right) : ordo_barrier_hear(t, left);
        if (!code)
            code = t->rank == 0 ? ordo_barrier_hear(t, left) : ordo_barrier_tell(t, right);
    }
    return code;
}

const struct ordo_barrier ordo_barrier_double_ring = {
    .name = "double-ring", .title = "a token goes around all ranks twice: 2 p messages", .run = double_ring};
