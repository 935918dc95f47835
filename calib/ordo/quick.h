/* A verdict in milliseconds on a machine of any size: for a guest that has just been restored. */
#ifndef ORDO_QUICK_H
#define ORDO_QUICK_H

#include "base/error.h"
#include "base/interval.h"

struct quick_pair {
    unsigned a, b;
    struct ordo_interval offset; /* clock b minus clock a, in ticks */
};

/** The result. The caller sets `pairs`, and the rest to zero. */
struct quick {
    struct quick_pair *pairs; /* room for one pair for each CPU */
    int found;                /* number of pairs that were measured; 0 if there is only one CPU */
    int answered;             /* number of answered exchanges; 0: the intervals come from the walk alone */
    double tick_hz;           /* the rate of the clock by CLOCK_MONOTONIC_RAW, to within about 0.1 % */
};

/** Measures each CPU with the next, and the last with the first: one walk over all of them, and then exchanges, the
 * pairs in turn, for 30 ms. Returns
 *
 * - 0: all of them were measured;
 * - ORDO_E_MEASURE: this process may not run on one of them; the pairs of the others are filled all the same;
 * - ORDO_E_SYSTEM: out of memory. */
int quick_measure(const unsigned *cpus, int count, struct quick *quick, struct ordo_error *error);

#endif
