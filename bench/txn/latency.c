#include "latency.h"

#include <math.h>

void txn_latency_merge(struct txn_latency *into, const struct txn_latency *from)
{
    into->count += from->count;
    into->most = from->most > into->most ? from->most : into->most;
    for (int i = 0; i < TXN_LATENCY_CLASSES; i++)
        into->classes[i] += from->classes[i];
}

/* Returns the largest value of a class. */
static uint64_t class_end(unsigned index)
{
    if (index < 64)
        return index;
    unsigned shift = index / 64 - 1;
    return ((uint64_t)(index - 64 * shift + 1) << shift) - 1;
}

uint64_t txn_latency_quantile(const struct txn_latency *latency, double share)
{
    uint64_t wanted = (uint64_t)ceil(share * (double)latency->count), seen = 0;
    for (unsigned i = 0; i < TXN_LATENCY_CLASSES; i++) {
        seen += latency->classes[i];
        if (seen >= wanted && seen > 0)
            return class_end(i) < latency->most ? class_end(i) : latency->most;
    }
    return 0;
}
