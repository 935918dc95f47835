/* Keys with Zipf's distribution, as YCSB draws them: Gray et al., Quickly Generating Billion-Record Synthetic Databases
 * (SIGMOD 1994), section 3.2. Drawing a key takes constant time, after one initial pass over all ranks. */
#ifndef BENCH_TXN_ZIPF_H
#define BENCH_TXN_ZIPF_H

#include "random.h"

struct txn_zipf {
    uint64_t count;
    double theta, zeta, alpha, eta, second; /* a random u in [0, 1) gives rank 1 if 1 <= u * zeta < second */
};

/** Prepares drawing of ranks 0 .. count - 1. Rank r has a probability proportional to 1 / (r + 1)^theta. theta is in
 * [0, 1), where 0 is uniform; count is in [2, 2^32). */
void txn_zipf_init(struct txn_zipf *zipf, uint64_t count, double theta);

uint64_t txn_zipf_rank(const struct txn_zipf *zipf, struct txn_random *random);

/** Returns the key of a rank. The map is a permutation of [0, count), so that frequent keys are not adjacent. */
static inline uint64_t txn_zipf_key(const struct txn_zipf *zipf, uint64_t rank)
{
    return rank * UINT64_C(4294967291) % zipf->count; /* a prime above every count */
}

#endif
