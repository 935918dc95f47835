/* The boundary of a domain: a forgotten one is refused, a larger one is taken while the domain is at rest.
 *
 * The options of every engine have the same three members:
 *
 *   boundary_ticks   of the stamps ordo, any and corrected: ordo_boundary() of an open handle
 *   unsafe_boundary  those stamps with boundary 0, which is WRONG unless there is one CPU: for tests
 *   watch            that handle, or NULL: not watched. It must not move, and stays open except during a raise. Once
 *                    its record is marked DISRUPTED, calls that commit or wait for the clock return ORDO_E_DISRUPTED.
 *                    A wait for a time more than 2^32 ticks + B ahead, which no clock that keeps the boundary has
 *                    returned, ends with the same code. The stamp corrected needs the handle inside a struct
 *                    ordo_corrected, open until the domain is destroyed; no other stamp takes this handle. The stamp
 *                    any needs the handle inside a struct ordo_any, or a plain one; a handle reopened for a raise
 *                    must be of the same kind (ordo_any_open_kind).
 */
#ifndef ORDO_CC_DOMAIN_BOUNDARY_H
#define ORDO_CC_DOMAIN_BOUNDARY_H

#include <ordo/cc/domain/threads.h>
#include <ordo/cc/stamp.h>

/** Starts the stamp of a domain.
 * 0: started
 * ORDO_E_INVALID: no boundary was given and `unsafe` is 0, its handle or `watch` orders nothing, or the clock is about
 *     to wrap */
static inline int ordo_cc_boundary_begin(struct ordo_stamp *stamp, uint64_t boundary_ticks, int unsafe,
                                         const struct ordo *watch)
{
    int code = ordo_stamp_init(stamp, boundary_ticks, watch);
    if (code == ORDO_OK && ordo_stamp_unsafe(stamp) && !unsafe)
        code = ORDO_E_INVALID;
    return code;
}

/** Gives a larger boundary to a domain at rest; `is_busy` is true of a thread that is not at rest. Earlier calls of
 * other threads happen before this one, their later calls after it. Waits several times the new boundary.
 * 0: the boundary is raised; if the stamp has none, nothing happened
 * ORDO_E_INVALID: the boundary is not larger than the present one, or is that of a handle that orders nothing, or a
 *     thread is busy; nothing has changed
 * ORDO_E_DISRUPTED: the clocks disagree; stop using the domain */
static inline int ordo_cc_boundary_raise(struct ordo_stamp *stamp, const struct ordo_cc_threads *threads,
                                         int (*is_busy)(const struct ordo_cc_thread *t), uint64_t boundary_ticks)
{
    if (ordo_cc_threads_any(threads, is_busy))
        return ORDO_E_INVALID;
    return ordo_stamp_raise(stamp, boundary_ticks);
}

#endif
