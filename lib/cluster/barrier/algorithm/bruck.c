/* Dissemination (Bruck and others, IEEE TPDS 8 (11), 1997, use the same pattern): in round k, each rank sends to the rank
 * 2^k above it, and hears from the rank 2^k below it, modulo p. After ceil(log2 p) rounds, each rank has heard, through
 * others, from all. */
#include "cluster/barrier/barrier.h"

static int bruck_barrier(struct ordo_transport *t)
{
    int code = ORDO_OK;
    for (int64_t distance = 1; distance < t->size && !code; distance *= 2)
        code = ordo_barrier_swap(t, (int)((t->rank + distance) % t->size),
                                 (int)((t->rank + t->size - distance) % t->size));
    return code;
}

const struct ordo_barrier ordo_barrier_bruck = {
    .name = "bruck", .title = "each rank tells the one 1, 2, 4, ... above it: p log2 p messages", .run = bruck_barrier};
