/* The smaller and the larger of two numbers. */
#ifndef ORDO_BASE_MINMAX_H
#define ORDO_BASE_MINMAX_H

#include <stdint.h>

static inline int64_t ordo_min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t ordo_max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

#endif
