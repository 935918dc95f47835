/* The stamp "logical": the usual counter that all threads increment.
 *
 * Order: the counter is always odd, and its value is the time now. Each commit gets an even number of its own and adds
 * 2 to the counter, so that every time that is read afterwards is larger. No order is uncertain: the boundary is 0. The
 * accesses are ordered as counter.h says.
 */
#ifndef ORDO_STAMP_INCLUDED_BY_STAMP_H
#error "include <ordo/cc/stamp.h>"
#endif

#define ORDO_STAMP_NAME "logical"

#include "increment.h"

static inline ordo_time ordo_stamp_take(struct ordo_stamp *stamp)
{
    ordo_time now;
    /* Pairs with ordo_stamp_now: earlier announcements are visible to a thread that reads a later time. */
    now.ticks = __atomic_fetch_add(&stamp->counter, 2, __ATOMIC_SEQ_CST) + 1;
    return now;
}
