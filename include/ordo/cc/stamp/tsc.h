/* The stamp "tsc": hardware time, as if all clocks agreed. WRONG if they do not: it exists to show the resulting
 * errors, and the cost of the boundary.
 *
 * Order: each read of the clock is ordered as for ordo (hardware.h), but any two times are compared as if they came
 * from one clock. If one clock is behind, a later event has the smaller time.
 */
#ifndef ORDO_STAMP_INCLUDED_BY_STAMP_H
#error "include <ordo/cc/stamp.h>"
#endif

#define ORDO_STAMP_NAME "tsc"

#include "hardware.h"

static inline int ordo_stamp_init(struct ordo_stamp *stamp, uint64_t boundary_ticks, const struct ordo *watch)
{
    (void)boundary_ticks;
    return ordo_stamp_start(stamp, watch);
}

static inline uint64_t ordo_stamp_boundary(const struct ordo_stamp *stamp)
{
    (void)stamp;
    return 0;
}

static inline int ordo_stamp_unsafe(const struct ordo_stamp *stamp)
{
    (void)stamp; /* no check: tsc is always unsafe, as the first comment says */
    return 0;
}

static inline int ordo_stamp_raise(struct ordo_stamp *stamp, uint64_t boundary_ticks)
{
    (void)stamp, (void)boundary_ticks;
    return ORDO_OK;
}
