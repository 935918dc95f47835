/* A look: a measurement of one pair of CPUs by a few exchanges over a cache line, which takes microseconds. Its two
 * threads live as long as the watcher. */
#ifndef ORDO_CALIBRATE_WATCH_LOOK_H
#define ORDO_CALIBRATE_WATCH_LOOK_H

#include "base/error.h"
#include "base/visit.h"

struct ordo_looker;

/** Starts the second thread. Returns NULL and fills `error` if the thread cannot start. Measures the cost of a clock
 * reading, and chooses the number of exchanges of each look such that they take about 20 us; there are at least two in
 * each direction. */
struct ordo_looker *ordo_looker_open(struct ordo_error *error);

/** Ends the second thread. */
void ordo_looker_close(struct ordo_looker *looker);

/** Exchanges clocks between the CPUs a and b, in both directions, by the protocol of ordo_pair_measure_a. Afterwards
 * the calling thread is pinned to CPU a. Not thread-safe.
 *
 * 0: `visit` is filled
 * ORDO_E_MEASURE: no verdict, because a thread cannot run on its CPU, or does not answer soon because of other load */
int ordo_looker_look(struct ordo_looker *looker, unsigned a, unsigned b, struct ordo_visit *visit,
                     struct ordo_error *error);

/** Returns the number of exchanges in each direction of each look. */
int ordo_looker_runs(const struct ordo_looker *looker);

#endif
