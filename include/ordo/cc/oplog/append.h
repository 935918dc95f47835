/* Appending: makes room, takes a time, loads the number of the cut, writes the entry, and publishes it. */
#ifndef ORDO_CC_OPLOG_APPEND_H
#define ORDO_CC_OPLOG_APPEND_H

#ifndef ORDO_CC_OPLOG_H
#error "include <ordo/cc/oplog.h>"
#endif

#include <ordo/cc/oplog/room.h>
#include <ordo/cc/oplog/time.h>

/* Loads the number of the cut. If it is new, marks the next operation of the log as the first that loaded it. */
static inline void ordo_oplog_look(struct ordo_oplog_thread *t)
{
    /* C2 look. Pairs with ordo_oplog_take: the present cut leaves an operation that loads the new number to the next
     * cut. */
    uint64_t cut = __atomic_load_n(&t->oplog->cut, __ATOMIC_SEQ_CST);
    ORDO_INVARIANT("oplog", "C2", cut >= t->cut, "the number of the cut only grows", t, cut, t->cut);
    if (__builtin_expect(cut != t->cut, 0)) {
        __atomic_store_n(&t->first, t->count, __ATOMIC_RELAXED); /* relaxed: the next store releases it */
        /* C3 mark. Release pairs with ordo_oplog_limit: `first` belongs to this number. */
        __atomic_store_n(&t->cut, cut, __ATOMIC_RELEASE);
    }
}

static inline void ordo_oplog_write(struct ordo_oplog_thread *t, uint64_t number, uint64_t time,
                                    struct ordo_oplog_object *object, uint64_t op, uint64_t argument)
{
    struct ordo_oplog_entry *entry = &t->ring[number & t->mask];
    /* The head only grows. */
    ORDO_INVARIANT("oplog", "C7", number - __atomic_load_n(&t->head, __ATOMIC_RELAXED) <= t->mask,
                   "an entry is written over one that is applied", t, number, t->head);
    entry->time = time;
    entry->object = object;
    entry->op = op;
    entry->argument = argument;
}

static inline void ordo_oplog_publish(struct ordo_oplog_thread *t, uint64_t n)
{
    /* Only the owner publishes. */
    ORDO_INVARIANT("oplog", "C2", t->count == t->published, "operations are published in the order of their numbers", t,
                   t->count, t->published);
    t->count += n;
    /* C2 publish. Release pairs with ordo_oplog_limit and ordo_oplog_pending: entries and mark are written. */
    __atomic_store_n(&t->published, t->count, __ATOMIC_RELEASE);
}

static inline int ordo_oplog_append(struct ordo_oplog_thread *t, struct ordo_oplog_object *object, uint64_t op,
                                    uint64_t argument)
{
    const struct ordo_oplog_kind *kind = object->kind;
    uint64_t time = 0;
    int code = ORDO_OK;
    /* Only the owner sets `used` to 0. */
    ORDO_INVARIANT("oplog", "use", t->common.used, "a thread that has finished does not append", t, t->count,
                   t->common.used);
    if (__builtin_expect(!kind || t->reading, 0))
        return ORDO_E_INVALID;
    if (__builtin_expect(t->count == t->room, 0))
        (void)ordo_oplog_make_room(t, 1); /* cannot fail: every log has room for one operation */
    if (kind->order == ORDO_OPLOG_ORDERED)
        code = ordo_oplog_claim(t, object, &time);
    else if (kind->order == ORDO_OPLOG_TIMED)
        time = ordo_oplog_time(t);
    if (code)
        return code;
    ordo_oplog_look(t);
    ordo_oplog_write(t, t->count, time, object, op, argument);
    ordo_oplog_publish(t, 1);
    if (kind->order == ORDO_OPLOG_TIMED && !t->oplog->options.settle_later)
        return ordo_oplog_settle(t);
    return ORDO_OK;
}

static inline int ordo_oplog_append_all(struct ordo_oplog_thread *t, const struct ordo_oplog_operation *operations,
                                        size_t n)
{
    uint64_t time = 0;
    size_t i;
    int timed = 0;
    for (i = 0; i < n; i++) {
        const struct ordo_oplog_kind *kind = operations[i].object->kind;
        if (!kind || kind->order == ORDO_OPLOG_ORDERED)
            return ORDO_E_INVALID;
        timed |= kind->order == ORDO_OPLOG_TIMED;
    }
    /* Only the owner sets `used` to 0. */
    ORDO_INVARIANT("oplog", "use", t->common.used, "a thread that has finished does not append", t, t->count,
                   t->common.used);
    if (t->reading || (t->room - t->count < n && ordo_oplog_make_room(t, n)))
        return ORDO_E_INVALID;
    if (timed)
        time = ordo_oplog_time(t);
    ordo_oplog_look(t);
    for (i = 0; i < n; i++)
        ordo_oplog_write(t, t->count + i, operations[i].object->kind->order == ORDO_OPLOG_TIMED ? time : 0,
                         operations[i].object, operations[i].op, operations[i].argument);
    ordo_oplog_publish(t, n);
    return timed && !t->oplog->options.settle_later ? ordo_oplog_settle(t) : ORDO_OK;
}

#endif
