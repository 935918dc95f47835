/* Judges the clocks of a machine of any size in milliseconds, for example in a guest that was just restored. */
#ifndef ORDO_QUICK_H
#define ORDO_QUICK_H

#include "base/error.h"
#include "base/interval.h"

struct quick_pair {
    unsigned a, b;
    struct ordo_interval offset; /* clock b minus clock a, in ticks */
};

/** The result. The caller sets `pairs`, and everything else to 0. */
struct quick {
    struct quick_pair *pairs; /* [number of CPUs] */
    int found;                /* number of measured pairs; 0 if there is only one CPU */
    int answered;             /* number of answered exchanges; 0: the intervals are those of the walk */
    double tick_hz;           /* rate of the clock against CLOCK_MONOTONIC_RAW, with an error of about 0.1 % */
};

/** Measures each CPU with the next, and the last with the first: in one walk over all CPUs, then in exchanges for 30
 * ms, the pairs in turn.
 *
 * 0: all pairs were measured
 * ORDO_E_MEASURE: this process may not run on one of the CPUs; the pairs of the other CPUs are filled nevertheless
 * ORDO_E_SYSTEM: out of memory */
int quick_measure(const unsigned *cpus, int count, struct quick *quick, struct ordo_error *error);

#endif
