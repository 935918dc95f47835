/* Random numbers of one thread: the same sequence for the same seed on every machine, so that two engines are given the
 * same transactions. */
#ifndef BENCH_TXN_RANDOM_H
#define BENCH_TXN_RANDOM_H

#include <stdint.h>

#include "base/random.h"

struct txn_random {
    uint64_t state;
};

static inline uint64_t txn_random_next(struct txn_random *random)
{
    return ordo_random_next(&random->state);
}

/** In [low, high]; the bias is below 2^-32 for ranges below 2^32. */
static inline uint64_t txn_random_range(struct txn_random *random, uint64_t low, uint64_t high)
{
    uint64_t span = high - low + 1;
    return low + (uint64_t)((unsigned __int128)txn_random_next(random) * span >> 64);
}

/** In [0, 1). */
static inline double txn_random_fraction(struct txn_random *random)
{
    return ordo_random_unit(&random->state);
}

static inline int txn_random_percent(struct txn_random *random, unsigned percent)
{
    return txn_random_range(random, 0, 99) < percent;
}

#endif
