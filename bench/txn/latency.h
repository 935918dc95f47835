/* How long each of very many transactions took, in bounded memory: counts per class, 64 classes to every power of two,
 * so that a quantile is off by less than 1.6%. */
#ifndef BENCH_TXN_LATENCY_H
#define BENCH_TXN_LATENCY_H

#include <stdint.h>

#define TXN_LATENCY_CLASSES (64 * 59)

struct txn_latency {
    uint64_t count, most;
    uint64_t classes[TXN_LATENCY_CLASSES];
};

/* Below 64 a class holds one value; above, the leading 7 bits name it. */
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

/** Returns the quantile `share` of the added latencies, in ticks, rounded up to the end of its class; 0 if none was added. */
uint64_t txn_latency_quantile(const struct txn_latency *latency, double share);

#endif
