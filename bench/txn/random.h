/* Random numbers of one thread. A seed gives the same sequence on every machine, so that all engines execute the same
 * transactions. */
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

/** Returns a number in [low, high]. The bias is below 2^-32 if the range is smaller than 2^32. */
static inline uint64_t txn_random_range(struct txn_random *random, uint64_t low, uint64_t high)
{
    uint64_t span = high - low + 1;
    return low + (uint64_t)((unsigned __int128)txn_random_next(random) * span >> 64);
}

/** Returns a number in [0, 1). */
static inline double txn_random_fraction(struct txn_random *random)
{
    return ordo_random_unit(&random->state);
}

static inline int txn_random_percent(struct txn_random *random, unsigned percent)
{
    return txn_random_range(random, 0, 99) < percent;
}

#endif
