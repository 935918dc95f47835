/* Makes room in a full log: the appender applies its own log if its first operation commutes, otherwise all logs. */
#ifndef ORDO_CC_OPLOG_ROOM_H
#define ORDO_CC_OPLOG_ROOM_H

#ifndef ORDO_CC_OPLOG_H
#error "include <ordo/cc/oplog.h>"
#endif

#include <ordo/cc/oplog/cut.h>
#include <ordo/cc/oplog/lock.h>

/* Applies this thread's log up to the first operation that does not commute. False if the first operation of the log
 * does not commute.
 */
static inline int ordo_oplog_drain(struct ordo_oplog_thread *t)
{
    if (ordo_oplog_entry_at(t, __atomic_load_n(&t->head, __ATOMIC_RELAXED))->time) /* relaxed: under the lock */
        return 0;
    ordo_cc_count(&t->oplog->drains, 1);
    ordo_oplog_apply(t->oplog, t, t->count, 0); /* C4 own */
    return 1;
}

/* Makes room for `n` operations. Returns 0, or ORDO_E_INVALID: `n` is larger than a log. */
ORDO_CC_SLOW int ordo_oplog_make_room(struct ordo_oplog_thread *t, uint64_t n)
{
    struct ordo_oplog *oplog = t->oplog;
    unsigned turn = 0;
    if (n > t->mask + 1)
        return ORDO_E_INVALID;
    for (;;) {
        /* C7 room. Acquire pairs with ordo_oplog_apply: the entries before the head are no longer needed. */
        t->room = __atomic_load_n(&t->head, __ATOMIC_ACQUIRE) + t->mask + 1;
        if (t->room - t->count >= n)
            return ORDO_OK;
        if (ordo_oplog_try_lock(oplog)) {
            ordo_cc_count(&t->fulls, 1);
            if (!ordo_oplog_drain(t))
                ordo_oplog_take(oplog);
            ordo_oplog_unlock(oplog);
        } else {
            ordo_oplog_wait_turn(&turn); /* the holder of the lock may be making room in this log */
        }
    }
}

#endif
