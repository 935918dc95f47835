/* The clock that a rank reads in a verification of its node. */
#ifndef ORDO_CLUSTER_VERIFY_NODE_CLOCK_H
#define ORDO_CLUSTER_VERIFY_NODE_CLOCK_H

#include "machine/clock/source.h"

/** A clock as one rank reads it. `ahead_units`, `fast` and `origin` are an injected error for self-tests; all 0: no
 * error. */
struct ordo_node_clock {
    const struct ordo_clock_source *source;
    int64_t ahead_units;
    double fast; /* error of the rate: 1e-6 is 1 ppm */
    uint64_t origin;
};

/** Reads the clock, with its injected error, after all earlier loads of the thread. */
uint64_t ordo_node_read(const struct ordo_node_clock *clock);

#endif
