/* The stamp "gv4": the usual counter, but commits that collide share one increment (the fourth clock in section 3 of
 * Dice, Shalev, Shavit, DISC 2006).
 *
 * Order: as logical.h, but a thread that fails to increment the counter takes the time of the last successful
 * increment. This is correct: the failing thread had read the counter before that increment, so the increment happened
 * during its commit, and belongs to both commits. The shared time is even, and the counter is odd: when the failing
 * commit began, the counter was below the shared time, and when the call returns, it is above that time. Two commits
 * may have the same time. The argument compares the load of the failing thread with the exchange of the other thread:
 * accesses marked SEQ_CST are in a single order, and become visible to all other cores at once (multi-copy atomicity:
 * x86, ARMv8, RISC-V RVWMO), as reads of a clock require too.
 */
#ifndef ORDO_STAMP_INCLUDED_BY_STAMP_H
#error "include <ordo/cc/stamp.h>"
#endif

#define ORDO_STAMP_NAME "gv4"

#include "increment.h"

static inline ordo_time ordo_stamp_take(struct ordo_stamp *stamp)
{
    ordo_time now = ordo_stamp_now(stamp);
    uint64_t seen = now.ticks;
    /* Pairs with ordo_stamp_now: earlier announcements are visible to a thread that reads a later time. */
    if (__atomic_compare_exchange_n(&stamp->counter, &seen, now.ticks + 2, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        now.ticks++;
    else
        now.ticks = seen - 1;
    return now;
}
