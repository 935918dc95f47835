/* The stamp "batch": a counter from which each thread takes times in batches, so that the shared line is written once
 * per ORDO_STAMP_BATCH_TIMES commits.
 *
 * Order: a time from a batch may be issued long after the counter has moved on. This is the same defect as a clock that
 * is behind, but nothing would bound it if a batch were not discarded once the counter is more than
 * ORDO_STAMP_BATCH_WINDOW ahead (ordo_stamp_issue). With this rule the lemma of ordo.h holds with the window for a
 * boundary: a time that is issued after x was read is at least counter - window >= x - window. The stamp is therefore
 * as correct as a clock whose boundary is the window. The accesses to the counter are ordered as counter.h says.
 *
 * Why aborts rise: every write of the last window of times is uncertain to a reader, however long ago it happened.
 * Waiting for certainty means pushing the counter on, which makes the batches of all other threads stale.
 *
 * OCC takes its commit times from batches: it requires no more of them than the lemma. In Hekaton every commit time
 * must be certainly after the begin, which is an earlier value of the counter: no batch can hold such a time, and each
 * commit pushes the counter (ordo_stamp_commit), which is correct and shows the limit of batches.
 */
#ifndef ORDO_STAMP_INCLUDED_BY_STAMP_H
#error "include <ordo/cc/stamp.h>"
#endif

#define ORDO_STAMP_NAME "batch"

#include "counter.h"

enum { ORDO_STAMP_BATCH_TIMES = 16, ORDO_STAMP_BATCH_WINDOW = 64 };

/* The times that a thread has left, from `next` on: next <= last. */
struct ordo_stamp_local {
    uint64_t next, last;
};

static inline int ordo_stamp_init(struct ordo_stamp *stamp, uint64_t boundary_ticks, const struct ordo *watch)
{
    (void)boundary_ticks, (void)watch;
    memset(stamp, 0, sizeof *stamp);
    stamp->counter = 2 * ORDO_STAMP_BATCH_WINDOW + 1;
    return ORDO_OK;
}

static inline uint64_t ordo_stamp_boundary(const struct ordo_stamp *stamp)
{
    (void)stamp;
    return ORDO_STAMP_BATCH_WINDOW;
}

static inline ordo_time ordo_stamp_take(struct ordo_stamp *stamp)
{
    ordo_time now;
    /* Pairs with ordo_stamp_now. Not a load, which may be performed before an announcement that was stored earlier. */
    now.ticks = __atomic_fetch_add(&stamp->counter, 0, __ATOMIC_SEQ_CST);
    return now;
}

/* Pushes the counter if no other thread does. Never fails. */
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
        /* Pairs with ordo_stamp_now. All earlier times are at most the counter, the new ones above it. */
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
