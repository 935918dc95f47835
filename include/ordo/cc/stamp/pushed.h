/* The common part of the stamps gv5 and dctl: a counter that commits only read, and that stands still until a thread
 * pushes it (ordo_stamp_later).
 *
 * Order: the counter is a clock that all threads share, with boundary 0. A time that is read after a time x is >= x.
 * Between two pushes all times are equal, even those that one thread reads one after the other. As with a hardware
 * clock, announcements made before a time was read are visible to a thread that reads a larger time: accesses marked
 * SEQ_CST are in a single order, and become visible to all other cores at once (multi-copy atomicity: x86, ARMv8,
 * RISC-V RVWMO).
 */
#ifndef ORDO_STAMP_INCLUDED_BY_STAMP_H
#error "include <ordo/cc/stamp.h>"
#endif

#include "counter.h"

static inline ordo_time ordo_stamp_take(struct ordo_stamp *stamp)
{
    return ordo_stamp_now(stamp);
}

/* Pushes the counter if it has not passed t. Always returns 0. */
static inline int ordo_stamp_later(struct ordo_stamp *stamp, ordo_time t, ordo_time *now)
{
    *now = ordo_stamp_now(stamp);
    while (now->ticks <= t.ticks)
        /* Pairs with ordo_stamp_now: earlier announcements are visible to a thread that reads a later time. */
        if (__atomic_compare_exchange_n(&stamp->counter, &now->ticks, t.ticks + 1, 0, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST))
            now->ticks = t.ticks + 1;
    return ORDO_OK;
}

static inline int ordo_stamp_commit(struct ordo_stamp *stamp, ordo_time t, ordo_time *now)
{
    return ordo_stamp_later(stamp, t, now);
}

static inline int ordo_stamp_issue(struct ordo_stamp *stamp, struct ordo_stamp_local *local, ordo_time t,
                                   ordo_time *now)
{
    (void)local;
    return ordo_stamp_later(stamp, t, now);
}

static inline void ordo_stamp_move_on(struct ordo_stamp *stamp)
{
    ordo_time unused;
    (void)ordo_stamp_later(stamp, ordo_stamp_now(stamp), &unused);
}
