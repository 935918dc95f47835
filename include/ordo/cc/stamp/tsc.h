/* The stamp "tsc": hardware time taken as if all clocks agreed. WRONG wherever they do not: it exists to show what goes
 * wrong, and what the boundary costs.
 *
 * Order: each read of the clock is ordered as that of ordo (hardware.h), but any two times are compared as if they came
 * from one clock. Where one is behind, what happened later has the smaller time.
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
    (void)stamp; /* says so in its name */
    return 0;
}

static inline int ordo_stamp_raise(struct ordo_stamp *stamp, uint64_t boundary_ticks)
{
    (void)stamp, (void)boundary_ticks;
    return ORDO_OK;
}
