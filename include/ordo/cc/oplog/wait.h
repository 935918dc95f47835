/* Waiting for another thread by turns, and counting. */
#ifndef ORDO_CC_OPLOG_WAIT_H
#define ORDO_CC_OPLOG_WAIT_H

#ifndef ORDO_CC_OPLOG_H
#error "include <ordo/cc/oplog.h>"
#endif

#include <sched.h>
#include <sys/select.h>

#include <ordo/cc/oplog/types.h>

enum { ORDO_OPLOG_SPINS = 128, ORDO_OPLOG_YIELDS = 64, ORDO_OPLOG_NAP_US = 50 };

/* C9 turn: one of a wait for another thread. Spins at first, then gives the CPU away, then sleeps. */
ORDO_OPLOG_SLOW void ordo_oplog_wait_turn(unsigned *turn)
{
    if (*turn < ORDO_OPLOG_SPINS) {
        ordo_clock_pause();
    } else if (*turn < ORDO_OPLOG_SPINS + ORDO_OPLOG_YIELDS) {
        (void)sched_yield();
    } else {
        struct timeval nap = {0, ORDO_OPLOG_NAP_US};
        (void)select(0, NULL, NULL, NULL, &nap);
        return;
    }
    ++*turn;
}

/* Relaxed: a reader of statistics wants whole numbers and no order. */
static inline void ordo_oplog_count(uint64_t *counter, uint64_t n)
{
    __atomic_store_n(counter, __atomic_load_n(counter, __ATOMIC_RELAXED) + n, __ATOMIC_RELAXED);
}

#endif
