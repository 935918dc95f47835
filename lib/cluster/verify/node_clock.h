/* The clock that a rank reads while its node is verified. */
#ifndef ORDO_CLUSTER_VERIFY_NODE_CLOCK_H
#define ORDO_CLUSTER_VERIFY_NODE_CLOCK_H

#include "machine/clock/source.h"

/** A clock as one rank reads it. The last three members are an injected error, for self-tests: all 0 for the clock as
 * it is. */
struct ordo_node_clock {
    const struct ordo_clock_source *source;
    int64_t ahead_units;
    double fast; /* 1e-6 for 1 ppm */
    uint64_t origin;
};

/** Reads the clock as this rank has it, after its earlier loads. */
uint64_t ordo_node_read(const struct ordo_node_clock *clock);

#endif
