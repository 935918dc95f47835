/* Waiting for another thread by turns: spins at first, then yields the CPU, then sleeps ever longer. */
#ifndef ORDO_CC_DOMAIN_TURN_H
#define ORDO_CC_DOMAIN_TURN_H

#include <sched.h>
#include <stddef.h>
#include <sys/select.h>

#include <ordo/cc/domain/counters.h>
#include <ordo/cc/domain/slow.h>
#include <ordo/ordo.h>

/** An engine's patience: the number of turns that spin and yield, and the length of the naps. */
struct ordo_cc_patience {
    unsigned spins;   /* turns that pause: once, */
    unsigned pauses;  /* or this number of times at the first of them, and twice as often at each that follows */
    unsigned yields;  /* turns that yield the CPU */
    unsigned nap_us;  /* of the first turn that sleeps */
    unsigned doubles; /* the number of times that naps double */
};

/** The turn after the last one that differs from the one before it. */
static inline unsigned ordo_cc_last_turn(const struct ordo_cc_patience *patience)
{
    return patience->spins + patience->yields + patience->doubles;
}

/** Waits for one turn, number `turn`, from 0, and returns the number of the next one. Counts turns that yield or sleep,
 * unless the counter is NULL. */
ORDO_CC_SLOW unsigned ordo_cc_wait_turn(const struct ordo_cc_patience *patience, unsigned turn, uint64_t *yields,
                                        uint64_t *sleeps)
{
    unsigned last = ordo_cc_last_turn(patience);
    if (turn < patience->spins) {
        unsigned pauses = patience->pauses ? patience->pauses << turn : 1;
        while (pauses-- > 0)
            ordo_clock_pause();
    } else if (turn < patience->spins + patience->yields) {
        if (yields)
            ordo_cc_count(yields, 1);
        (void)sched_yield();
    } else {
        unsigned doubled = (turn < last ? turn : last) - patience->spins - patience->yields;
        struct timeval nap = {0, (suseconds_t)patience->nap_us << doubled};
        if (sleeps)
            ordo_cc_count(sleeps, 1);
        (void)select(0, NULL, NULL, NULL, &nap);
    }
    return turn < last ? turn + 1 : last;
}

#endif
