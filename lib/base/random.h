/* A small random generator whose state is one word, so that every random run can be repeated from its seed. */
#ifndef ORDO_BASE_RANDOM_H
#define ORDO_BASE_RANDOM_H

#include <stdint.h>

/** Returns the next 64 random bits; every value of `*state` is a valid seed (SplitMix64: Steele, Lea, Flood, OOPSLA
 * 2014, Figure 16). */
static inline uint64_t ordo_random_next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/** Returns a number uniform in [0, 1). */
static inline double ordo_random_unit(uint64_t *state)
{
    return (double)(ordo_random_next(state) >> 11) * 0x1p-53;
}

#endif
