/* Statistics: counters that their owner writes and any thread reads. A statistics struct has only members of type
 * uint64_t. */
#ifndef ORDO_CC_DOMAIN_COUNTERS_H
#define ORDO_CC_DOMAIN_COUNTERS_H

#include <stddef.h>
#include <stdint.h>

/** Adds to a counter of the calling thread. Relaxed: a reader of statistics needs untorn numbers and no order. */
static inline void ordo_cc_count(uint64_t *counter, uint64_t n)
{
    __atomic_store_n(counter, __atomic_load_n(counter, __ATOMIC_RELAXED) + n, __ATOMIC_RELAXED);
}

/** Reads a counter of any thread. */
static inline uint64_t ordo_cc_counted(const uint64_t *counter)
{
    return __atomic_load_n(counter, __ATOMIC_RELAXED);
}

/** Adds one thread's statistics of `bytes` to a sum of the same type. */
static inline void ordo_cc_add_up(void *sum, const void *statistics, size_t bytes)
{
    const uint64_t *from = (const uint64_t *)statistics;
    uint64_t *to = (uint64_t *)sum;
    size_t i;
    for (i = 0; i < bytes / sizeof *to; i++)
        to[i] += ordo_cc_counted(&from[i]);
}

#endif
