/* Distances of times. A file may state any 64-bit number as a bound, so a distance may not fit; it is then the largest
 * or the least number, which stands for infinity. */
#ifndef ORDO_TRACE_PAGE_APART_H
#define ORDO_TRACE_PAGE_APART_H

#include <stdint.h>

/** Returns to_ns - from_ns. */
static inline int64_t ordo_page_apart(int64_t from_ns, int64_t to_ns)
{
    int64_t apart;
    return !__builtin_sub_overflow(to_ns, from_ns, &apart) ? apart : to_ns > from_ns ? INT64_MAX : -INT64_MAX;
}

/** Returns time_ns + distance_ns. */
static inline int64_t ordo_page_after(int64_t time_ns, int64_t distance_ns)
{
    int64_t sum;
    return !__builtin_add_overflow(time_ns, distance_ns, &sum) ? sum : distance_ns > 0 ? INT64_MAX : -INT64_MAX;
}

#endif
