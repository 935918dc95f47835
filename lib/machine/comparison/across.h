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
    uint64_t messages;       /* in both directions */
};

/** Looks at all `count` clocks on CPUs a and b, one after the other, in two pinned threads; each look takes at most
 * `exchanges` exchanges and `most_ns` (twenty times as long for the counter if other programs delay the messages).
 * ORDO_E_MEASURE: the other side did not answer for half a minute. */
int ordo_across_look(const struct ordo_topology *topology, unsigned a, unsigned b,
                     const struct ordo_clock_source *const *sources, int count, int exchanges, int64_t most_ns,
                     struct ordo_across_look *looks, struct ordo_error *error);

#endif
