/* Takes the times of operations on TIMED and ORDERED objects, and waits until every clock is past them. */
#ifndef ORDO_CC_OPLOG_TIME_H
#define ORDO_CC_OPLOG_TIME_H

#ifndef ORDO_CC_OPLOG_H
#error "include <ordo/cc/oplog.h>"
#endif

#include <ordo/cc/oplog/types.h>

/* Returns the larger of `now` and the log's last time, which becomes the log's last time. */
static inline uint64_t ordo_oplog_own_time(struct ordo_oplog_thread *t, ordo_time now)
{
    if (now.ticks > t->last) /* C5 own */
        t->last = now.ticks;
    return t->last;
}

static inline uint64_t ordo_oplog_time(struct ordo_oplog_thread *t)
{
    return t->unsettled = ordo_oplog_own_time(t, ordo_stamp_take_after(&t->oplog->stamp)); /* C5 take */
}

/* Takes a time certainly after the object's last time, and makes it the object's last time. Returns 0 or
 * ORDO_E_DISRUPTED. */
ORDO_CC_SLOW int ordo_oplog_claim(struct ordo_oplog_thread *t, struct ordo_oplog_object *object, uint64_t *time)
{
    ordo_time now, last;
    /* Acquire pairs with the exchange below in another thread: everything that the other thread did before it is
     * visible. */
    last.ticks = __atomic_load_n(&object->last, __ATOMIC_ACQUIRE);
    do {
        int code = ordo_stamp_commit(&t->oplog->stamp, last, &now); /* C6 after */
        if (code)
            return code;
        *time = ordo_oplog_own_time(t, now);
        /* `now`, `last` and `*time` are local. */
        ORDO_INVARIANT("oplog", "C6", ordo_stamp_after(&t->oplog->stamp, now, last) && *time >= now.ticks,
                       "the time of an operation is after the last one of its object", object, *time, last.ticks);
        /* C6 claim. Release pairs with the next claim of this object, acquire with the previous claim. */
    } while (!__atomic_compare_exchange_n(&object->last, &last.ticks, *time, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
    return ORDO_OK;
}

static inline int ordo_oplog_settle(struct ordo_oplog_thread *t)
{
    ordo_time now, last;
    int code;
    last.ticks = t->unsettled;
    if (!last.ticks)
        return ORDO_OK;
    ordo_cc_count(&t->boundary_waits, 1);
    code = ordo_stamp_later_before(&t->oplog->stamp, last, &now); /* C5 settle */
    /* `now` and `last` are local. */
    ORDO_INVARIANT("oplog", "C5", code != ORDO_OK || ordo_stamp_after(&t->oplog->stamp, now, last),
                   "an operation has happened when its time is over", t, now.ticks, last.ticks);
    if (code == ORDO_OK)
        t->unsettled = 0;
    return code;
}

#endif
