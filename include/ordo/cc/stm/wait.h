/* Waiting for another thread by turns, and counting. */
#ifndef ORDO_CC_STM_WAIT_H
#define ORDO_CC_STM_WAIT_H

#ifndef ORDO_CC_STM_H
#error "include <ordo/cc/stm.h>"
#endif

#include <sched.h>
#include <sys/select.h>

#include <ordo/cc/stm/types.h>

enum {
    ORDO_STM_YIELDS = 12,    /* attempts that only yield in between, the first few not even that */
    ORDO_STM_NAP_US = 50,    /* then it sleeps */
    ORDO_STM_NAP_DOUBLES = 4 /* times */
};

/* Counts in the owner's statistics. Relaxed: a reader of statistics wants whole numbers and no order. */
static inline void ordo_stm_count(uint64_t *counter, uint64_t n)
{
    __atomic_store_n(counter, __atomic_load_n(counter, __ATOMIC_RELAXED) + n, __ATOMIC_RELAXED);
}

/* C9 turn: one of a wait for another thread. */
ORDO_STM_SLOW void ordo_stm_wait_turn(struct ordo_stm_thread *t, unsigned turn)
{
    struct timeval nap = {0, 0};
    unsigned doubled;
    if (turn < 4) {
        for (turn = 8U << turn; turn; turn--)
            ordo_clock_pause();
    } else if (turn < ORDO_STM_YIELDS) {
        ordo_stm_count(&t->statistics.yields, 1);
        (void)sched_yield();
    } else {
        doubled = turn - ORDO_STM_YIELDS;
        if (doubled > ORDO_STM_NAP_DOUBLES)
            doubled = ORDO_STM_NAP_DOUBLES;
        nap.tv_usec = ORDO_STM_NAP_US << doubled;
        ordo_stm_count(&t->statistics.sleeps, 1);
        (void)select(0, NULL, NULL, NULL, &nap);
    }
}

#endif
