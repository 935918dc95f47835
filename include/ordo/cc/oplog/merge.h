/* Applies the logs of a cut in the order of their times; the caller holds the lock. */
#ifndef ORDO_CC_OPLOG_MERGE_H
#define ORDO_CC_OPLOG_MERGE_H

#ifndef ORDO_CC_OPLOG_H
#error "include <ordo/cc/oplog.h>"
#endif

#include <ordo/cc/oplog/apply.h>

/* Merges two skew heaps of logs that are not applied completely yet, and returns the root, which has the smallest key.
 */
static inline struct ordo_oplog_thread *ordo_oplog_meld(struct ordo_oplog_thread *a, struct ordo_oplog_thread *b)
{
    struct ordo_oplog_thread *root = NULL, **link = &root;
    while (a && b) {
        struct ordo_oplog_thread *smaller = b->key < a->key ? b : a;
        b = smaller == a ? b : a;
        *link = smaller;
        link = &smaller->left;
        a = smaller->right;
        smaller->right = smaller->left;
    }
    *link = a ? a : b;
    return root;
}

static inline struct ordo_oplog_thread *ordo_oplog_push(struct ordo_oplog_thread *heap, struct ordo_oplog_thread *r)
{
    uint64_t head = __atomic_load_n(&r->head, __ATOMIC_RELAXED); /* relaxed: only written under the lock */
    if (head == r->limit)
        return heap;
    r->key = ordo_oplog_entry_at(r, head)->time;
    r->left = r->right = NULL;
    return ordo_oplog_meld(heap, r);
}

/* Applies the logs of a cut in the order of their times. */
static inline void ordo_oplog_merge(struct ordo_oplog *oplog, struct ordo_oplog_thread *heap)
{
    while (heap) {
        struct ordo_oplog_thread *r = heap;
        heap = ordo_oplog_meld(r->left, r->right);
        /* Only the holder of the lock uses the heap. */
        ORDO_INVARIANT("oplog", "C5", !heap || r->key <= heap->key, "the logs are applied in the order of their times",
                       r, r->key, heap ? heap->key : 0);
        ordo_oplog_apply(oplog, r, r->limit, heap ? heap->key : UINT64_MAX); /* C5 merge */
        heap = ordo_oplog_push(heap, r);
    }
}

#endif
