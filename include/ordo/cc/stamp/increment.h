/* The common part of the stamps logical and gv4: a counter that each commit increments, or finds incremented during the
 * commit. It is always odd, and has passed the times of all commits. */
#ifndef ORDO_STAMP_INCLUDED_BY_STAMP_H
#error "include <ordo/cc/stamp.h>"
#endif

#include "counter.h"

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
