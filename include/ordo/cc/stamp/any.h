/* The stamp "any": the clock of a struct ordo_any (any.h) and its boundary: the hardware counter, or the kernel's clock
 * on a machine whose counter is refused. An engine with this stamp runs on every machine, and as fast as with the stamp
 * ordo if the counter is accepted.
 *
 * Order: a time is a full read of the watch's clock, the counter (clock.h) or CLOCK_MONOTONIC (clock/monotonic.h), and
 * two times are compared with the boundary B of the watch's record. The lemma of any.h holds for either clock with that
 * B: if one read starts after another has ended, on any two covered CPUs, the later read shows at least the time of the
 * earlier read - B. The rest is as for the stamp ordo. All times of a stamp come from one clock: the stamp copies the
 * choice of the clock from the watch when it is started, and a handle keeps its clock until it is closed.
 *
 * After an exchange the counter is read by the cheaper ordo_clock_read_after_exchange. The kernel's clock is read in
 * full even then, which gives a stronger order.
 *
 * The watch chooses the clock: &a.handle of a struct ordo_any, or a plain struct ordo, which chooses the counter. The
 * watch stays open as long as the stamp is used, except during a raise, for which it is reopened with the same clock
 * (ordo_any_open_kind); a raise refuses the other clock. If the record is disrupted, start over with a new handle and a
 * new stamp: the new handle may have the other clock, and times of different clocks must not be compared.
 */
#ifndef ORDO_STAMP_INCLUDED_BY_STAMP_H
#error "include <ordo/cc/stamp.h>"
#endif

#define ORDO_STAMP_NAME "any"

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
    if ((ordo_flags(stamp->watch) ^ stamp->flags) & ORDO_FLAG_KERNEL) /* reopened with the other clock */
        return ORDO_E_INVALID;
    if (boundary_ticks <= stamp->boundary_ticks || boundary_ticks >= ORDO_STAMP_LIMIT / 8)
        return ORDO_E_INVALID;
    stamp->boundary_ticks = boundary_ticks;
    return ordo_stamp_settle(stamp, ordo_time_add(ordo_stamp_now(stamp), boundary_ticks));
}
