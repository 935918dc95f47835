/* Waiting for another thread by turns. */
#ifndef ORDO_CC_STM_WAIT_H
#define ORDO_CC_STM_WAIT_H

#ifndef ORDO_CC_STM_H
#error "include <ordo/cc/stm.h>"
#endif

#include <ordo/cc/stm/types.h>

enum {
    ORDO_STM_YIELDS = 12,    /* attempts that only yield in between, the first few not even that */
    ORDO_STM_NAP_US = 50,    /* then it sleeps */
    ORDO_STM_NAP_DOUBLES = 4 /* times */
};

/* C9 turn: one of a wait for another thread. */
ORDO_CC_SLOW void ordo_stm_wait_turn(struct ordo_stm_thread *t, unsigned turn)
{
    static const struct ordo_cc_patience patience = {4, 8, ORDO_STM_YIELDS - 4, ORDO_STM_NAP_US, ORDO_STM_NAP_DOUBLES};
    /* The account is its owner's. */
    ORDO_INVARIANT("stm", "C9", !t->locks.count, "no thread waits while it has stripes locked", t, t->locks.count,
                   turn);
    (void)ordo_cc_wait_turn(&patience, turn, &t->statistics.yields, &t->statistics.sleeps);
}

#endif
