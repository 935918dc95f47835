/* Ends and aborts transactions. */
#ifndef ORDO_CC_STM_ABORT_H
#define ORDO_CC_STM_ABORT_H

#ifndef ORDO_CC_STM_H
#error "include <ordo/cc/stm.h>"
#endif

#include <ordo/cc/stm/log.h>
#include <ordo/cc/stm/snapshot.h>
#include <ordo/cc/stm/validate.h>

/* Ends the transaction, after a commit or an abort. */
static inline void ordo_stm_leave(struct ordo_stm_thread *t)
{
    /* Only the owner writes `announced`. */
    ORDO_INVARIANT("stm", "C10", t->announced, "a transaction is announced until it ends", t, t->announced, t->depth);
    ORDO_INVARIANT("stm", "C9", !t->locks.count, "a transaction that ends has no stripe locked", t, t->locks.count,
                   t->writes.count);
    if (t->irrevocable) {
        t->irrevocable = 0;
        /* Release pairs with C11 take of the next irrevocable transaction: the writes of this transaction are visible
         * to it. */
        __atomic_store_n(&t->stm->token, 0, __ATOMIC_RELEASE);
    }
    ordo_stm_snapshot_end(t);
    t->reads.count = 0;
    t->allocated.count = t->frees.count = 0;
    t->depth = 0;
    t->code = ORDO_OK;
    /* Pairs with C10 scan: all reads and writes of this transaction precede this store. */
    __atomic_store_n(&t->announced, 0, __ATOMIC_RELEASE);
}

ORDO_CC_SLOW int ordo_stm_abort(struct ordo_stm_thread *t)
{
    int code = ordo_stm_give_up(t, ORDO_E_CANCELLED, &t->statistics.aborts_asked);
    void **allocated = (void **)t->allocated.items;
    size_t i;
    ORDO_INVARIANT("stm", "use", t->depth, "a transaction that is aborted has begun", t, t->depth, t->attempts);
    if (t->depth > 1) {
        t->depth--;
        return code;
    }
    for (i = 0; i < t->allocated.count; i++)
        ordo_cc_release(&t->stm->options.memory, allocated[i]);
    ordo_stm_forget(t);
    ordo_stm_leave(t);
    t->attempts = code == ORDO_STM_AGAIN ? t->attempts + 1 : 0;
    if (code != ORDO_STM_AGAIN)
        t->wants_token = 0;
    return code;
}

#endif
