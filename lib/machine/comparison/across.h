/* Compares one clock on two CPUs, by messages on a shared line. */
#ifndef ORDO_MACHINE_COMPARISON_ACROSS_H
#define ORDO_MACHINE_COMPARISON_ACROSS_H

#include <stdatomic.h>

#include "base/visit.h"
#include "machine/clock/source.h"
#include "machine/topology/topology.h"

/** The result of one look at one clock on a pair of CPUs. */
struct ordo_across_look {
    struct ordo_visit visit; /* in units of the clock */
    uint64_t messages;       /* number of messages in both directions */
};

/** Looks at all `count` clocks on CPUs a and b, one clock after the other, in two pinned threads. Each look makes at
 * most `exchanges` exchanges, and takes at most `most_ns` (for the counter, 20 times `most_ns` if other programs delay
 * the messages).
 * ORDO_E_MEASURE: one thread did not answer for 30 seconds */
int ordo_across_look(const struct ordo_topology *topology, unsigned a, unsigned b,
                     const struct ordo_clock_source *const *sources, int count, int exchanges, int64_t most_ns,
                     struct ordo_across_look *looks, struct ordo_error *error);

#endif
