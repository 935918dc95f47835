/* The boundary of a domain: starts the stamp, refuses a forgotten boundary, and raises the boundary of a domain at
 * rest.
 *
 * The options of every engine have the same three members:
 *
 *   boundary_ticks   for the stamps ordo, any and corrected: ordo_boundary() of an open handle
 *   unsafe_boundary  accepts boundary 0 for those stamps, which is WRONG unless there is one CPU: for tests
 *   watch            that handle, or NULL: not watched. The handle must not move, and stays open except during a raise.
 *                    Once its record is marked DISRUPTED, calls that commit or wait for the clock return
 *                    ORDO_E_DISRUPTED. They also return it if they would wait for a time more than 2^32 ticks + B
 *                    ahead, because no clock within the boundary B has returned such a time. The stamp corrected
 *                    requires the handle inside a struct ordo_corrected, open until the domain is destroyed; no other
 *                    stamp accepts this handle. The stamp any requires the handle inside a struct ordo_any, or a plain
 *                    struct ordo; a handle that is reopened for a raise must read the same clock (ordo_any_open_kind).
 */
#ifndef ORDO_CC_DOMAIN_BOUNDARY_H
#define ORDO_CC_DOMAIN_BOUNDARY_H

#include <ordo/cc/domain/threads.h>
#include <ordo/cc/stamp.h>

/** Starts the stamp of a domain.
 * 0: started
 * ORDO_E_INVALID: the stamp needs a boundary, and the boundary and `unsafe` are 0; or as ordo_stamp_init */
static inline int ordo_cc_boundary_begin(struct ordo_stamp *stamp, uint64_t boundary_ticks, int unsafe,
                                         const struct ordo *watch)
{
    int code = ordo_stamp_init(stamp, boundary_ticks, watch);
    if (code == ORDO_OK && ordo_stamp_unsafe(stamp) && !unsafe)
        code = ORDO_E_INVALID;
    return code;
}

/** Raises the boundary of a domain at rest; `is_busy` returns true for a thread that is not at rest. The caller orders
 * this call after earlier calls of other threads, and before their later calls. Waits several times the new boundary.
 * 0: the boundary is raised; nothing happened if the stamp has no boundary
 * ORDO_E_INVALID: the new boundary is not larger than the present boundary, or comes from a handle that orders nothing,
 *     or a thread is busy; nothing has changed
 * ORDO_E_DISRUPTED: the clocks disagree; stop using the domain */
static inline int ordo_cc_boundary_raise(struct ordo_stamp *stamp, const struct ordo_cc_threads *threads,
                                         int (*is_busy)(const struct ordo_cc_thread *t), uint64_t boundary_ticks)
{
    if (ordo_cc_threads_any(threads, is_busy))
        return ORDO_E_INVALID;
    return ordo_stamp_raise(stamp, boundary_ticks);
}

#endif
