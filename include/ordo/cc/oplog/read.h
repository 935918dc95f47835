/* Reading: takes the lock and applies all logs. */
#ifndef ORDO_CC_OPLOG_READ_H
#define ORDO_CC_OPLOG_READ_H

#ifndef ORDO_CC_OPLOG_H
#error "include <ordo/cc/oplog.h>"
#endif

#include <ordo/cc/oplog/cut.h>
#include <ordo/cc/oplog/lock.h>

static inline void ordo_oplog_read_lock(struct ordo_oplog_thread *t)
{
    /* Only the owner writes `used` and `reading` while it owns the thread. */
    ORDO_INVARIANT("oplog", "use", t->common.used, "a thread that has finished does not read", t, t->count,
                   t->common.used);
    ORDO_INVARIANT("oplog", "use", !t->reading, "reading does not nest", t, t->reading, t->count);
    ordo_oplog_lock(t->oplog);
    ordo_oplog_take(t->oplog);
    t->reading = 1;
}

static inline void ordo_oplog_read_unlock(struct ordo_oplog_thread *t)
{
    ORDO_INVARIANT("oplog", "use", t->reading, "a read that ends has begun", t, t->reading, t->count);
    t->reading = 0;
    ordo_oplog_unlock(t->oplog);
}

static inline void ordo_oplog_synchronise(struct ordo_oplog_thread *t)
{
    ordo_oplog_read_lock(t);
    ordo_oplog_read_unlock(t);
}

#endif
