/* The stamp "batch": a counter from which each worker takes times in batches, so that the shared line is written once
 * per BATCH_SIZE commits. It stands in for <ordo/cc/stamp.h>.
 *
 * A time from a batch may be issued long after the counter has moved on: the same defect as a clock that is behind, but
 * nothing bounds it, unless a batch is thrown away once the counter is more than BATCH_WINDOW ahead (cc_batch_issue).
 * Then the lemma of ordo.h holds with the window for a boundary: a time that is issued after x was read is at least
 * counter - BATCH_WINDOW >= x - BATCH_WINDOW. So it is as correct as a clock whose boundary is the window.
 *
 * Why aborts rise: whatever was written within the last BATCH_WINDOW times is uncertain to a reader, however long ago
 * that was. Waiting for certainty means pushing the counter on, which makes the batches of all others stale.
 *
 * OCC takes its commit times from batches: it needs no more of them than the lemma. In Hekaton every commit time must
 * be certainly after the begin, which is the counter as it was: no batch can hold such a time, and each commit pushes
 * the counter (ordo_stamp_commit), which is right and shows what batches cannot do.
 */
#ifndef ORDO_CC_TXN_BATCH_H
#define ORDO_CC_TXN_BATCH_H

#include <ordo/ordo.h>

#define ORDO_STAMP_NAME "batch"

enum { BATCH_SIZE = 16, BATCH_WINDOW = 64 };

struct ordo_stamp {
    char before[128];
    uint64_t counter;
    char after[128 - sizeof(uint64_t)];
};

/* What a worker has left: next <= last. */
struct cc_batch {
    uint64_t next, last;
};

static inline int ordo_stamp_init(struct ordo_stamp *stamp, uint64_t unused, const struct ordo *watch)
{
    (void)unused, (void)watch;
    stamp->counter = 2 * BATCH_WINDOW + 1;
    return ORDO_OK;
}

static inline uint64_t ordo_stamp_boundary(const struct ordo_stamp *stamp)
{
    (void)stamp;
    return BATCH_WINDOW;
}

static inline int ordo_stamp_after(const struct ordo_stamp *stamp, ordo_time a, ordo_time b)
{
    (void)stamp;
    return a.ticks > b.ticks && a.ticks - b.ticks > BATCH_WINDOW;
}

static inline ordo_time ordo_stamp_now(const struct ordo_stamp *stamp)
{
    /* Pairs with cc_batch_issue: its owner looked at the counter after its announcement. */
    return (ordo_time){__atomic_load_n(&stamp->counter, __ATOMIC_SEQ_CST)};
}

/* There is no clock that could be disrupted, and the window is what it is. */
static inline int ordo_stamp_disrupted(const struct ordo_stamp *stamp)
{
    (void)stamp;
    return 0;
}

static inline int ordo_stamp_raise(struct ordo_stamp *stamp, uint64_t unused)
{
    (void)stamp, (void)unused;
    return ORDO_OK;
}

/* A time for what happens now. */
static inline ordo_time ordo_stamp_take(struct ordo_stamp *stamp)
{
    /* Pairs with ordo_stamp_now. Not a load, which may be performed before an announcement that was stored earlier. */
    return (ordo_time){__atomic_fetch_add(&stamp->counter, 0, __ATOMIC_SEQ_CST)};
}

/* A time that has passed and is certainly after `t`: pushes the counter where nobody else does. Never fails. */
static inline int ordo_stamp_commit(struct ordo_stamp *stamp, ordo_time t, ordo_time *now)
{
    *now = ordo_stamp_take(stamp);
    while (!ordo_stamp_after(stamp, *now, t))
        /* Pairs with ordo_stamp_now. */
        now->ticks = __atomic_add_fetch(&stamp->counter, BATCH_WINDOW, __ATOMIC_SEQ_CST);
    return ORDO_OK;
}

/* A time after `t`, though not certainly, which nobody else gets. */
static inline ordo_time cc_batch_issue(struct ordo_stamp *stamp, struct cc_batch *batch, ordo_time t)
{
    uint64_t now = ordo_stamp_now(stamp).ticks;
    if (batch->next >= batch->last || batch->next <= t.ticks || now > batch->next + BATCH_WINDOW) {
        /* Pairs with ordo_stamp_now. All earlier times are at most the counter, the new ones above it. */
        batch->next = __atomic_fetch_add(&stamp->counter, BATCH_SIZE, __ATOMIC_SEQ_CST) + 1;
        batch->last = batch->next + BATCH_SIZE;
    }
    return (ordo_time){batch->next++};
}

#endif
