/* The cut: the operations that a reader applies. The caller holds the lock. */
#ifndef ORDO_CC_OPLOG_CUT_H
#define ORDO_CC_OPLOG_CUT_H

#ifndef ORDO_CC_OPLOG_H
#error "include <ordo/cc/oplog.h>"
#endif

#include <ordo/cc/oplog/merge.h>

/* Returns the first operation of a log that is not in the cut, after the number has advanced to `next`. */
static inline uint64_t ordo_oplog_limit(const struct ordo_oplog_thread *r, uint64_t next)
{
    /* C2 sample. This load follows the advance in S. Acquire pairs with ordo_oplog_publish: entries and mark are
     * written. */
    uint64_t published = __atomic_load_n(&r->published, __ATOMIC_SEQ_CST), first;
    /* C3 limit. Acquire pairs with ordo_oplog_look: the `first` that is read below belongs to the number in `cut`. If
     * the mark has another number than `next`, no published operation loaded `next`. */
    if (__atomic_load_n(&r->cut, __ATOMIC_ACQUIRE) != next)
        return published;
    first = __atomic_load_n(&r->first, __ATOMIC_RELAXED); /* relaxed: the load of `cut` acquired it */
    return first < published ? first : published;
}

/* True if any log has an operation that is not applied. */
static inline int ordo_oplog_pending(struct ordo_oplog *oplog)
{
    const struct ordo_cc_thread *common;
    for (common = ordo_cc_threads_walk(&oplog->threads); common; common = common->next) {
        const struct ordo_oplog_thread *r = ordo_oplog_thread_of(common);
        /* C2 empty. Acquire pairs with ordo_oplog_publish: this load sees every operation that has returned. Relaxed:
         * the head is only written under the lock. */
        if (__atomic_load_n(&r->published, __ATOMIC_ACQUIRE) != __atomic_load_n(&r->head, __ATOMIC_RELAXED))
            return 1;
    }
    return 0;
}

/* Makes a cut and applies it. */
static inline void ordo_oplog_take(struct ordo_oplog *oplog)
{
    struct ordo_oplog_thread *heap = NULL;
    const struct ordo_cc_thread *common;
    uint64_t next;
    if (!ordo_oplog_pending(oplog))
        return;
    ordo_cc_count(&oplog->cuts, 1);
    /* C2 flip. Pairs with ordo_oplog_look: a thread that loads the old number cannot have seen the return of an
     * operation that loaded the new number. */
    next = __atomic_add_fetch(&oplog->cut, 1, __ATOMIC_SEQ_CST);
    /* C8 join. D3: a thread that is not in the list yet loads the new number. */
    for (common = ordo_cc_threads_scan(&oplog->threads); common; common = common->next) {
        struct ordo_oplog_thread *r = ordo_oplog_thread_of(common);
        r->limit = ordo_oplog_limit(r, next);
        /* The head changes only under the lock, and the number of published operations only grows. */
        ORDO_INVARIANT("oplog", "C3",
                       r->head <= r->limit && r->limit <= __atomic_load_n(&r->published, __ATOMIC_RELAXED),
                       "a cut ends between the applied and the published operations", r, r->limit, r->head);
        heap = ordo_oplog_push(heap, r);
    }
    ordo_oplog_merge(oplog, heap);
}

#endif
