/* The clocks of the CPUs: looks at pairs, walks over all CPUs, and the conclusions. */
#ifndef ORDO_WATCH_ROUNDS_H
#define ORDO_WATCH_ROUNDS_H

#include "ordo/watch/state.h"

/** Discards the observations, and sets up the pairs of the loaded record. Returns 0, or -1 if out of memory. */
int watch_arrange(struct watch *watch);

/** Executes one round: looks at the next pair, and walks. With only two CPUs, an answered look makes the walk
 * unnecessary, unless `walk` is set. */
void watch_round(struct watch *watch, bool walk);

/** Looks at the first pairs several times in a row, until the reserve of CPU time is used up. Without this, a drift
 * that uses up the boundary within a second would be found too late. */
void watch_begin_rounds(struct watch *watch);

/** During a calibration, walks if it is time. True if the walk proved the record wrong. */
bool watch_glance(struct watch *watch);

#endif
