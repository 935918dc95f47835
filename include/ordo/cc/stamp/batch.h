/* The stamp "batch": a counter from which each thread takes times in batches, so that the shared line is written once
 * per ORDO_STAMP_BATCH_TIMES commits.
 *
 * Order: a thread may issue a time from its batch long after the counter has moved on, as if the thread's clock were
 * behind. To bound this lag, a thread discards its batch once the counter is more than ORDO_STAMP_BATCH_WINDOW ahead of
 * it (ordo_stamp_issue). The lemma of ordo.h then holds with the window as the boundary: a time that is issued after x
 * was read is >= counter - window >= x - window. The stamp is therefore as correct as a clock whose boundary is the
 * window. The accesses to the counter are ordered as counter.h says.
 *
 * Why batches cause aborts: a reader cannot order itself after a write whose time is within the window, however long
 * ago the write happened. To become certain the reader must push the counter, which makes the batches of all other
 * threads stale.
 *
 * OCC takes its commit times from batches, because the lemma is all that it requires. In Hekaton every commit time must
 * be certainly after the transaction's begin, which is an earlier value of the counter. No batch can hold such a time,
 * so each commit pushes the counter (ordo_stamp_commit). This is correct, and shows the limit of batches.
 */
#ifndef ORDO_STAMP_INCLUDED_BY_STAMP_H
#error "include <ordo/cc/stamp.h>"
#endif

#define ORDO_STAMP_NAME "batch"

enum { ORDO_STAMP_BATCH_TIMES = 16, ORDO_STAMP_BATCH_WINDOW = 64 };

/* The times that a thread's batch still holds: `next` to `last` - 1. */
struct ordo_stamp_local {
    uint64_t next, last;
};

#define ORDO_STAMP_WINDOW ORDO_STAMP_BATCH_WINDOW
#include "counter.h"

static inline ordo_time ordo_stamp_take(struct ordo_stamp *stamp)
{
    ordo_time now;
    /* Pairs with ordo_stamp_now. A load would not be enough, because it may be performed before an earlier store of an
     * announcement. */
    now.ticks = __atomic_fetch_add(&stamp->counter, 0, __ATOMIC_SEQ_CST);
    return now;
}

/* Pushes the counter until it is certainly after t, unless other threads push it. Always returns 0. */
static inline int ordo_stamp_commit(struct ordo_stamp *stamp, ordo_time t, ordo_time *now)
{
    *now = ordo_stamp_take(stamp);
    while (!ordo_stamp_after(stamp, *now, t))
        /* Pairs with ordo_stamp_now: earlier announcements are visible to a thread that reads a later time. */
        now->ticks = __atomic_add_fetch(&stamp->counter, ORDO_STAMP_BATCH_WINDOW, __ATOMIC_SEQ_CST);
    return ORDO_OK;
}

static inline int ordo_stamp_later(struct ordo_stamp *stamp, ordo_time t, ordo_time *now)
{
    return ordo_stamp_commit(stamp, t, now);
}

static inline int ordo_stamp_issue(struct ordo_stamp *stamp, struct ordo_stamp_local *local, ordo_time t,
                                   ordo_time *now)
{
    uint64_t counter = ordo_stamp_now(stamp).ticks;
    if (local->next >= local->last || local->next <= t.ticks || counter > local->next + ORDO_STAMP_BATCH_WINDOW) {
        /* Pairs with ordo_stamp_now. All times taken earlier are <= the old counter, and the new times are above it. */
        local->next = __atomic_fetch_add(&stamp->counter, ORDO_STAMP_BATCH_TIMES, __ATOMIC_SEQ_CST) + 1;
        local->last = local->next + ORDO_STAMP_BATCH_TIMES;
    }
    now->ticks = local->next++;
    return ORDO_OK;
}

static inline void ordo_stamp_move_on(struct ordo_stamp *stamp)
{
    ordo_time unused;
    (void)ordo_stamp_commit(stamp, ordo_stamp_now(stamp), &unused);
}
