/* A verdict in milliseconds, whatever the size of the machine: for a guest that has just been restored. */
#ifndef ORDO_QUICK_H
#define ORDO_QUICK_H

#include "base/error.h"
#include "base/interval.h"

struct quick_pair {
    unsigned a, b;
    struct ordo_interval offset; /* clock b less clock a, in ticks */
};

/** Measures each CPU with the next, and the last with the first: one walk over all of them, and then exchanges, the pairs in
 * turn, for 30 ms. `pairs` has room for `count`; `*found` of them are filled, 0 of a single CPU. `*tick_hz` is the rate
 * of the clock by CLOCK_MONOTONIC_RAW, to within some 0.1 %. ORDO_E_MEASURE where a CPU cannot be run on. */
int quick_measure(const unsigned *cpus, int count, struct quick_pair *pairs, int *found, double *tick_hz,
                  struct ordo_error *error);

#endif
