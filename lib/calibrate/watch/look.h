/* A look at one pair of CPUs: a few exchanges over a cache line, microseconds long, by two threads that live as long as
 * the watcher. */
#ifndef ORDO_CALIBRATE_WATCH_LOOK_H
#define ORDO_CALIBRATE_WATCH_LOOK_H

#include "base/error.h"
#include "base/visit.h"

struct ordo_looker;

/** Starts the second thread; NULL with `error` filled. How many exchanges a look has follows from what a reading of the
 * clock costs here: some 20 us of them, and no fewer than two in each direction. */
struct ordo_looker *ordo_looker_open(struct ordo_error *error);

/** Ends it. */
void ordo_looker_close(struct ordo_looker *looker);

/** Exchanges clocks between the CPUs a and b, both directions, by the protocol of ordo_pair_measure_a; the calling thread
 * is bound to a then. Returns 0, or ORDO_E_MEASURE where a CPU is not to be run on, or does not answer soon (something
 * else runs there): that is no verdict. Not thread-safe. */
int ordo_looker_look(struct ordo_looker *looker, unsigned a, unsigned b, struct ordo_visit *visit,
                     struct ordo_error *error);

/** Exchanges in each direction of a look. */
int ordo_looker_runs(const struct ordo_looker *looker);

#endif
