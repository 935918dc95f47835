/* Keys by Zipf's law, as YCSB draws them: Gray et al., Quickly Generating Billion-Record Synthetic Databases (SIGMOD
 * 1994), section 3.2. Constant time per key, after one pass over the ranks. */
#ifndef BENCH_TXN_ZIPF_H
#define BENCH_TXN_ZIPF_H

#include "random.h"

struct txn_zipf {
    uint64_t count;
    double theta, zeta, alpha, eta, second; /* second: below it, times zeta, rank 0 or 1 is meant */
};

/** Ranks 0 .. count - 1, rank r with a probability in proportion to 1 / (r + 1)^theta. theta in [0, 1); 0 is uniform.
 * count in [2, 2^32). */
void txn_zipf_init(struct txn_zipf *zipf, uint64_t count, double theta);

uint64_t txn_zipf_rank(const struct txn_zipf *zipf, struct txn_random *random);

/** The key of a rank: a permutation of [0, count), so that the frequent keys do not lie side by side. */
static inline uint64_t txn_zipf_key(const struct txn_zipf *zipf, uint64_t rank)
{
    return rank * UINT64_C(4294967291) % zipf->count; /* a prime above every count */
}

#endif
