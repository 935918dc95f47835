/* The distribution of latencies in bounded memory, for any number of transactions: a count for each class. Every power
 * of two has 64 classes, so that the error of a quantile is below 1.6%. */
#ifndef BENCH_TXN_LATENCY_H
#define BENCH_TXN_LATENCY_H

#include <stdint.h>

#define TXN_LATENCY_CLASSES (64 * 59)

struct txn_latency {
    uint64_t count, most;
    uint64_t classes[TXN_LATENCY_CLASSES];
};

/* Returns the class of a latency. Below 64 a class holds one value; above, the leading 7 bits choose the class. */
static inline unsigned txn_latency_class(uint64_t ticks)
{
    if (ticks < 64)
        return (unsigned)ticks;
    unsigned shift = 57u - (unsigned)__builtin_clzll(ticks);
    return 64 * shift + (unsigned)(ticks >> shift);
}

static inline void txn_latency_add(struct txn_latency *latency, uint64_t ticks)
{
    latency->count++;
    latency->most = ticks > latency->most ? ticks : latency->most;
    latency->classes[txn_latency_class(ticks)]++;
}

void txn_latency_merge(struct txn_latency *into, const struct txn_latency *from);

/** Returns the quantile `share` of the added latencies, in ticks, rounded up to the end of its class; 0 if no latency
 * was added. */
uint64_t txn_latency_quantile(const struct txn_latency *latency, double share);

#endif
