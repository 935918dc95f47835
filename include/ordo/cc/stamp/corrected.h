/* The stamp "corrected": hardware time, corrected for what was measured of the clocks' offsets, and the boundary that is
 * left (corrected.h). Worth its price, a few instructions a read, where the boundary of the plain times is mostly an
 * offset that is known.
 *
 * Order: a time is a full read of the clock (clock.h) plus the correction of the CPU that was read, which the same
 * instruction names, so that a thread may be moved at any moment. By the measured deltas, of two reads on any two
 * covered CPUs where one starts after the other has ended, the later one shows at least the earlier one's time less B.
 * From there on it is the stamp ordo.
 *
 * The watch is what the corrections come from: the handle inside a struct ordo_corrected, which stays open as long as
 * the stamp is used, raised or not. Corrections of another record are other times: a stamp cannot pass from one to the
 * other, and what is built on it has to begin anew.
 */
#ifndef ORDO_STAMP_INCLUDED_BY_STAMP_H
#error "include <ordo/cc/stamp.h>"
#endif

#define ORDO_STAMP_NAME "corrected"

#include "hardware.h"

static inline int ordo_stamp_init(struct ordo_stamp *stamp, uint64_t boundary_ticks, const struct ordo *watch)
{
    int code = ordo_stamp_start(stamp, watch);
    if (code)
        return code;
    if (boundary_ticks >= ORDO_STAMP_LIMIT / 8 || ordo_stamp_now(stamp).ticks >= ORDO_STAMP_LIMIT / 2)
        return ORDO_E_INVALID;
    stamp->boundary_ticks = boundary_ticks;
    return ORDO_OK;
}

static inline uint64_t ordo_stamp_boundary(const struct ordo_stamp *stamp)
{
    return stamp->boundary_ticks;
}

static inline int ordo_stamp_unsafe(const struct ordo_stamp *stamp)
{
    return stamp->boundary_ticks == 0;
}

static inline int ordo_stamp_raise(struct ordo_stamp *stamp, uint64_t boundary_ticks)
{
    if (boundary_ticks <= stamp->boundary_ticks || boundary_ticks >= ORDO_STAMP_LIMIT / 8)
        return ORDO_E_INVALID;
    stamp->boundary_ticks = boundary_ticks;
    return ordo_stamp_settle(stamp, ordo_time_add(ordo_stamp_now(stamp), boundary_ticks));
}
