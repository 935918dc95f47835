/* Waiting for another thread in turns (domain/turn.h). */
#ifndef ORDO_CC_STM_WAIT_H
#define ORDO_CC_STM_WAIT_H

#ifndef ORDO_CC_STM_H
#error "include <ordo/cc/stm.h>"
#endif

#include <ordo/cc/stm/types.h>

enum {
    ORDO_STM_YIELDS = 12,    /* number of turns that do not sleep: 4 turns spin, and the others yield */
    ORDO_STM_NAP_US = 50,    /* length of the first sleep, in microseconds */
    ORDO_STM_NAP_DOUBLES = 4 /* number of times that the length doubles */
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
