/* The lock of a domain: its holder applies logs and reads states. Other threads wait for the lock in turns
 * (domain/turn.h). */
#ifndef ORDO_CC_OPLOG_LOCK_H
#define ORDO_CC_OPLOG_LOCK_H

#ifndef ORDO_CC_OPLOG_H
#error "include <ordo/cc/oplog.h>"
#endif

#include <ordo/cc/oplog/types.h>

/* C9 turn: waits one turn for another thread. */
static inline void ordo_oplog_wait_turn(unsigned *turn)
{
    static const struct ordo_cc_patience patience = {128, 0, 64, 50, 0};
    *turn = ordo_cc_wait_turn(&patience, *turn, NULL, NULL);
}

static inline int ordo_oplog_try_lock(struct ordo_oplog *oplog)
{
    /* C4 lock. Acquire pairs with ordo_oplog_unlock: states and heads are as the last holder left them. */
    return !__atomic_load_n(&oplog->locked, __ATOMIC_RELAXED) &&
           !__atomic_exchange_n(&oplog->locked, 1, __ATOMIC_ACQUIRE);
}

static inline void ordo_oplog_lock(struct ordo_oplog *oplog)
{
    unsigned turn = 0;
    while (!ordo_oplog_try_lock(oplog))
        ordo_oplog_wait_turn(&turn);
}

static inline void ordo_oplog_unlock(struct ordo_oplog *oplog)
{
    /* Only the holder releases the lock. */
    ORDO_INVARIANT("oplog", "C4", __atomic_load_n(&oplog->locked, __ATOMIC_RELAXED),
                   "the lock is held until its holder ends", oplog, oplog->locked, oplog->cut);
    /* Release pairs with ordo_oplog_try_lock: this thread's reads and changes of states are done. */
    __atomic_store_n(&oplog->locked, 0, __ATOMIC_RELEASE);
}

#endif
