/* Initialises objects, and takes them out of use. */
#ifndef ORDO_CC_OPLOG_OBJECT_H
#define ORDO_CC_OPLOG_OBJECT_H

#ifndef ORDO_CC_OPLOG_H
#error "include <ordo/cc/oplog.h>"
#endif

#include <string.h>

#include <ordo/cc/oplog/cut.h>
#include <ordo/cc/oplog/lock.h>

static inline int ordo_oplog_object_init(struct ordo_oplog_object *object, const struct ordo_oplog_kind *kind,
                                         void *state)
{
    memset(object, 0, sizeof *object);
    if (!kind || !kind->apply || (unsigned)kind->order > ORDO_OPLOG_ORDERED)
        return ORDO_E_INVALID;
    object->kind = kind;
    object->state = state;
    return ORDO_OK;
}

static inline void ordo_oplog_forget(struct ordo_oplog_thread *t, struct ordo_oplog_object *object)
{
    ORDO_INVARIANT("oplog", "use", !t->reading, "an object is not forgotten by a thread that reads", t, t->reading,
                   (uintptr_t)object);
    ordo_oplog_lock(t->oplog);
    object->forgotten = 1;
    ordo_oplog_take(t->oplog);
    ordo_oplog_unlock(t->oplog);
}

#endif
