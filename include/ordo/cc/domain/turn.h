/* Waiting for another thread in turns: a turn is one short wait. The first turns spin, later turns yield the CPU, and
 * the turns after them sleep; the length of a sleep doubles up to a limit. */
#ifndef ORDO_CC_DOMAIN_TURN_H
#define ORDO_CC_DOMAIN_TURN_H

#include <sched.h>
#include <stddef.h>
#include <sys/select.h>

#include <ordo/cc/domain/counters.h>
#include <ordo/cc/domain/slow.h>
#include <ordo/ordo.h>

/** The parameters of an engine's waits: numbers of turns that spin and yield, and lengths of the sleeps. */
struct ordo_cc_patience {
    unsigned spins;   /* number of turns that spin */
    unsigned pauses;  /* pauses in the first turn that spins, doubled in each further turn; 0: one pause in each turn */
    unsigned yields;  /* number of turns that yield the CPU */
    unsigned nap_us;  /* length of the first sleep, in microseconds */
    unsigned doubles; /* number of times that the length of a sleep doubles */
};

/** Returns the number of the turn from which on all turns are the same: the longest sleep. */
static inline unsigned ordo_cc_last_turn(const struct ordo_cc_patience *patience)
{
    return patience->spins + patience->yields + patience->doubles;
}

/** Waits for one turn, number `turn` (the first is 0), and returns the number of the next turn. Counts a turn that
 * yields in `*yields` and a turn that sleeps in `*sleeps`; either pointer may be NULL. */
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
