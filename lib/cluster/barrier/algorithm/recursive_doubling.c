/* In round k, ranks whose numbers differ in bit k exchange messages. With 2^n the largest power of 2 that is <= p, each
 * rank r >= 2^n first sends to rank r - 2^n, and hears from it at the end. */
#include "cluster/barrier/barrier.h"

static int largest_power(int size)
{
    int power = 1;
    while (power <= size / 2)
        power *= 2;
    return power;
}

static int recursive_doubling(struct ordo_transport *t)
{
    int power = largest_power(t->size), code = ORDO_OK;
    bool helps = t->rank < power && t->rank + power < t->size; /* acts for a rank above the power of 2 */
    if (t->rank >= power) {
        code = ordo_barrier_tell(t, t->rank - power);
        return code ? code : ordo_barrier_hear(t, t->rank - power);
    }
    if (helps)
        code = ordo_barrier_hear(t, t->rank + power);
    for (int bit = 1; bit < power && !code; bit *= 2)
        code = ordo_barrier_swap(t, t->rank ^ bit, t->rank ^ bit);
    return code || !helps ? code : ordo_barrier_tell(t, t->rank + power);
}

const struct ordo_barrier ordo_barrier_recursive_doubling = {
    .name = "recursive-doubling",
    .title = "pairs at doubled distances exchange messages: p log2 p messages",
    .run = recursive_doubling};
