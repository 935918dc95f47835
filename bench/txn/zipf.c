#include "zipf.h"

#include <math.h>

void txn_zipf_init(struct txn_zipf *zipf, uint64_t count, double theta)
{
    double zeta = 0, n = (double)count;
    for (uint64_t i = count; i >= 1; i--) /* small terms first, because a large sum would absorb them */
        zeta += pow((double)i, -theta);
    double second = 1 + pow(0.5, theta);
    *zipf = (struct txn_zipf){
        .count = count,
        .theta = theta,
        .zeta = zeta,
        .alpha = 1 / (1 - theta),
        .eta = (1 - pow(2 / n, 1 - theta)) / (1 - second / zeta),
        .second = second,
    };
}

uint64_t txn_zipf_rank(const struct txn_zipf *zipf, struct txn_random *random)
{
    double u = txn_random_fraction(random), at = u * zipf->zeta;
    if (zipf->theta == 0)
        return (uint64_t)(u * (double)zipf->count);
    if (at < 1)
        return 0;
    if (at < zipf->second)
        return 1;
    uint64_t rank = (uint64_t)((double)zipf->count * pow(zipf->eta * u - zipf->eta + 1, zipf->alpha));
    return rank < zipf->count ? rank : zipf->count - 1;
}
