/* A look at one pair of CPUs: a few exchanges over a cache line, microseconds long, by two threads that live as long as
 * the watcher. */
#ifndef ORDO_CALIBRATE_WATCH_LOOK_H
#define ORDO_CALIBRATE_WATCH_LOOK_H

#include "base/error.h"
#include "base/visit.h"

struct ordo_looker;

/** Starts the second thread. NULL with `error` filled if it cannot start. The number of exchanges of each look follows
 * from the cost of a reading of the clock here: about 20 us of exchanges, and at least two in each direction. */
struct ordo_looker *ordo_looker_open(struct ordo_error *error);

/** Ends the second thread. */
void ordo_looker_close(struct ordo_looker *looker);

/** Exchanges clocks between the CPUs a and b, in both directions, by the protocol of ordo_pair_measure_a; the calling
 * thread is bound to CPU a afterwards. Not thread-safe.
 *
 * 0: `visit` is filled
 * ORDO_E_MEASURE: a CPU cannot be run on, or does not answer soon because something else runs there; no verdict */
int ordo_looker_look(struct ordo_looker *looker, unsigned a, unsigned b, struct ordo_visit *visit,
                     struct ordo_error *error);

/** Returns the number of exchanges in each direction of each look. */
int ordo_looker_runs(const struct ordo_looker *looker);

#endif
