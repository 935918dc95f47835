/* The stamp "corrected": hardware time, corrected by the measured offsets of the clocks, and the boundary of the
 * corrected times (corrected.h). It costs a few more instructions for each read. The cost is worthwhile if most of the
 * boundary of the uncorrected times is a known offset.
 *
 * Order: a time is a full read of the clock (clock.h) plus the correction of the CPU whose clock was read. The
 * instruction that reads the clock also returns the CPU, so the thread may migrate at any moment. The measured deltas
 * imply the lemma for corrected times: if one read starts after another has ended, on any two covered CPUs, the later
 * read shows at least the time of the earlier read - B. The rest is as for the stamp ordo.
 *
 * The corrections come from the watch: the handle inside a struct ordo_corrected, which stays open as long as the stamp
 * is used, also during a raise. Times with the corrections of different records must not be compared. A stamp can
 * therefore not change to another record: its users must start over with a new stamp.
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
