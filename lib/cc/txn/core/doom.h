/* Doomed transactions, which cannot commit, and disrupted databases, in which a wait for the clock was in vain. */
#ifndef ORDO_CC_TXN_CORE_DOOM_H
#define ORDO_CC_TXN_CORE_DOOM_H

#include "cc/txn/core/types.h"

static inline int cc_doom(struct cc_worker *worker, uint64_t *cause, int answer)
{
    ++*cause;
    worker->doomed = true;
    return answer;
}

static int cc_out_of_memory(struct cc_worker *worker)
{
    return cc_doom(worker, &worker->base.counts.aborts_user, ORDO_E_SYSTEM);
}

/* Returns the answer to a call in a doomed transaction, or to a call without an open transaction. */
static inline int cc_refuse(const struct cc_worker *worker)
{
    int answer = worker->doom < 0 ? worker->doom : ORDO_TXN_CONFLICT;
    return worker->opened ? answer : ORDO_E_INVALID;
}

/* Refuses a call that the table or the transaction does not allow. */
static int cc_forbid(struct cc_worker *worker)
{
    return cc_doom(worker, &worker->base.counts.aborts_user, ORDO_E_INVALID);
}

/* ---- disruption: txn.h says what happens if C1 is false, and the engines why that is safe ---- */

static inline bool cc_is_disrupted(const struct ordo_db *db)
{
    /* Relaxed: the worker that set the flag sees it; other workers may see it late. */
    return __atomic_load_n(&db->disrupted, __ATOMIC_RELAXED) || ordo_stamp_disrupted(&db->stamp);
}

/* C1: dooms a transaction that has waited for the clock in vain, and marks its database as disrupted. */
static int cc_disrupt(struct cc_worker *worker)
{
    __atomic_store_n(&worker->base.db->disrupted, 1, __ATOMIC_RELAXED); /* as above */
    worker->base.counts.aborts_disrupted++;
    worker->doomed = true;
    return worker->doom = ORDO_E_DISRUPTED;
}

#endif
