/* Waiting for another thread by turns. */
#ifndef ORDO_CC_STM_WAIT_H
#define ORDO_CC_STM_WAIT_H

#ifndef ORDO_CC_STM_H
#error "include <ordo/cc/stm.h>"
#endif

#include <ordo/cc/stm/types.h>

enum {
    ORDO_STM_YIELDS = 12,    /* attempts with at most a yield between them; the first few only spin */
    ORDO_STM_NAP_US = 50,    /* then the thread sleeps */
    ORDO_STM_NAP_DOUBLES = 4 /* times */
};

/* C9 turn: waits one turn for another thread. */
ORDO_CC_SLOW void ordo_stm_wait_turn(struct ordo_stm_thread *t, unsigned turn)
{
    static const struct ordo_cc_patience patience = {4, 8, ORDO_STM_YIELDS - 4, ORDO_STM_NAP_US, ORDO_STM_NAP_DOUBLES};
    /* Only the owner writes its locks. */
    ORDO_INVARIANT("stm", "C9", !t->locks.count, "no thread waits while it has stripes locked", t, t->locks.count,
                   turn);
    (void)ordo_cc_wait_turn(&patience, turn, &t->statistics.yields, &t->statistics.sleeps);
}

#endif
