/* Applies the entries of one log; the caller holds the lock. */
#ifndef ORDO_CC_OPLOG_APPLY_H
#define ORDO_CC_OPLOG_APPLY_H

#ifndef ORDO_CC_OPLOG_H
#error "include <ordo/cc/oplog.h>"
#endif

#include <ordo/cc/oplog/types.h>

static inline const struct ordo_oplog_entry *ordo_oplog_entry_at(const struct ordo_oplog_thread *r, uint64_t number)
{
    return &r->ring[number & r->mask];
}

static inline void ordo_oplog_carry_out(struct ordo_oplog *oplog, const struct ordo_oplog_entry *entry)
{
    struct ordo_oplog_object *object = entry->object;
    if (__builtin_expect(object->forgotten != 0, 0)) {
        ordo_cc_count(&oplog->dropped, 1);
        if (object->kind->drop)
            object->kind->drop(object, entry);
    } else {
        object->kind->apply(object, entry);
    }
}

/* Applies operations of a log from its front, up to but not including operation `limit`, or the first operation whose
 * time is larger than `until`.
 */
static inline void ordo_oplog_apply(struct ordo_oplog *oplog, struct ordo_oplog_thread *r, uint64_t limit,
                                    uint64_t until)
{
    uint64_t at = __atomic_load_n(&r->head, __ATOMIC_RELAXED), start = at; /* relaxed: only written under the lock */
    /* No entry is overwritten before the head has passed it. */
    ORDO_INVARIANT("oplog", "C7", limit - at <= r->mask + 1, "a log holds every operation that is applied", r, limit,
                   at);
    for (; at != limit && ordo_oplog_entry_at(r, at)->time <= until; at++)
        ordo_oplog_carry_out(oplog, ordo_oplog_entry_at(r, at));
    ordo_cc_count(&oplog->applied, at - start);
    /* C7 done. Release pairs with ordo_oplog_make_room: the entries before the head are no longer needed. */
    __atomic_store_n(&r->head, at, __ATOMIC_RELEASE);
}

#endif
