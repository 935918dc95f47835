/* A verdict in milliseconds, whatever the size of the machine: for a guest that has just been restored. */
#ifndef ORDO_QUICK_H
#define ORDO_QUICK_H

#include "base/error.h"
#include "base/interval.h"

struct quick_pair {
    unsigned a, b;
    struct ordo_interval offset; /* clock b less clock a, in ticks */
};

/** What is to be zero but for `pairs`. */
struct quick {
    struct quick_pair *pairs; /* room for one of each CPU */
    int found;                /* filled; 0 of a single CPU */
    int answered;             /* exchanges that came about: without any, the walk alone carries the intervals */
    double tick_hz;           /* the rate of the clock by CLOCK_MONOTONIC_RAW, to within some 0.1 % */
};

/** Measures each CPU with the next, and the last with the first: one walk over all of them, and then exchanges, the pairs in
 * turn, for 30 ms. Returns
 *
 * - 0: all of them were measured;
 * - ORDO_E_MEASURE: this process may not run on one of them; the pairs of the others are filled all the same;
 * - ORDO_E_SYSTEM: out of memory. */
int quick_measure(const unsigned *cpus, int count, struct quick *quick, struct ordo_error *error);

#endif
