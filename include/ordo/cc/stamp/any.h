/* The stamp "any": the clock of a struct ordo_any (any.h) and its boundary: the counter, or the kernel's clock on a
 * machine that refuses the counter. An engine on it runs everywhere, at the speed of the stamp ordo if the counter is
 * good.
 *
 * Order: a time is a full read of the watch's clock, the counter (clock.h) or CLOCK_MONOTONIC (clock/monotonic.h), and
 * two times are compared with the boundary B of the watch's record. The lemma of any.h holds for either kind with that
 * B: if one read starts after another has ended, on any two covered CPUs, the later one shows at least the earlier
 * one's time less B. The rest is as for the stamp ordo. All times of a stamp are of one kind: the kind is copied from
 * the watch when the stamp is started, and a handle stays of one kind until it is closed.
 *
 * Only for the counter is a read after an exchange cheaper (ordo_clock_read_after_exchange); the kernel's clock is then
 * read in full, which promises more.
 *
 * The watch names the clock: &a.handle of a struct ordo_any, or a plain struct ordo, which names the counter. It stays
 * open as long as the stamp is used, except during a raise, for which it is reopened as the same kind
 * (ordo_any_open_kind): a raise refuses the other kind. If the record is disrupted, begin anew with a new handle: its
 * kind may be the other one, and times of the two must not meet.
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
    if ((ordo_flags(stamp->watch) ^ stamp->flags) & ORDO_FLAG_KERNEL) /* reopened as the other kind */
        return ORDO_E_INVALID;
    if (boundary_ticks <= stamp->boundary_ticks || boundary_ticks >= ORDO_STAMP_LIMIT / 8)
        return ORDO_E_INVALID;
    stamp->boundary_ticks = boundary_ticks;
    return ordo_stamp_settle(stamp, ordo_time_add(ordo_stamp_now(stamp), boundary_ticks));
}
