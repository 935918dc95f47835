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

#include "counter.h"

struct ordo_stamp_local {
    char nothing; /* unused */
};

static inline int ordo_stamp_init(struct ordo_stamp *stamp, uint64_t boundary_ticks, const struct ordo *watch)
{
    (void)boundary_ticks, (void)watch;
    memset(stamp, 0, sizeof *stamp);
    stamp->counter = 1;
    return ORDO_OK;
}

static inline uint64_t ordo_stamp_boundary(const struct ordo_stamp *stamp)
{
    (void)stamp;
    return 0;
}

static inline ordo_time ordo_stamp_take(struct ordo_stamp *stamp)
{
    ordo_time now;
    /* Pairs with ordo_stamp_now: earlier announcements are visible to a thread that reads a later time. */
    now.ticks = __atomic_fetch_add(&stamp->counter, 2, __ATOMIC_SEQ_CST) + 1;
    return now;
}

static inline int ordo_stamp_later(struct ordo_stamp *stamp, ordo_time t, ordo_time *now)
{
    return ordo_stamp_wait(stamp, t, now); /* does not wait if t is the time of a commit: the counter has passed it */
}

static inline int ordo_stamp_commit(struct ordo_stamp *stamp, ordo_time t, ordo_time *now)
{
    (void)t; /* the counter is never behind a time t that it has returned */
    *now = ordo_stamp_take(stamp);
    return ORDO_OK;
}

static inline int ordo_stamp_issue(struct ordo_stamp *stamp, struct ordo_stamp_local *local, ordo_time t,
                                   ordo_time *now)
{
    (void)local;
    return ordo_stamp_commit(stamp, t, now);
}

static inline void ordo_stamp_move_on(struct ordo_stamp *stamp)
{
    (void)stamp; /* the counter has passed the times of all commits */
}
