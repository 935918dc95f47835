/* The stamp "ordo": hardware time and the measured boundary. Nothing is shared, and nothing is written.
 *
 * Order: a time is a full read of the clock, and two times are compared with the boundary B of the record. By the lemma
 * of ordo.h, if one read starts after another has ended, on any two CPUs, the later read shows at least the time of the
 * earlier read - B. Hence, if two times differ by more than B, the larger was certainly taken later; the order of
 * closer times cannot be known (C6). The lemma needs no order of memory accesses. Announcements need it, and the full
 * read gives it: an announcement that the thread stores before the read is visible before the read (hardware.h).
 */
#ifndef ORDO_STAMP_INCLUDED_BY_STAMP_H
#error "include <ordo/cc/stamp.h>"
#endif

#define ORDO_STAMP_NAME "ordo"

#include "hardware.h"

static inline int ordo_stamp_init(struct ordo_stamp *stamp, uint64_t boundary_ticks, const struct ordo *watch)
{
    int code = ordo_stamp_start(stamp, watch);
    if (code)
        return code;
    if (boundary_ticks >= ORDO_STAMP_LIMIT / 8)
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
