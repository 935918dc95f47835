/* Barriers: no rank leaves before all ranks have arrived. The algorithms are those that MPI libraries choose from; each
 * leaves another imbalance, which is the time from the first rank's exit to the last rank's. A benchmark that
 * synchronises ranks by a barrier measures this imbalance, too (Hunold and Carpen-Amarie, CLUSTER 2018, Section V.B). */
#ifndef ORDO_CLUSTER_BARRIER_BARRIER_H
#define ORDO_CLUSTER_BARRIER_BARRIER_H

#include "cluster/transport/transport.h"

struct ordo_barrier {
    const char *name;  /* name for a command line */
    const char *title; /* description in one line, for people */

    /** Collective: returns when all ranks have called it. Returns 0, or the code of a failed message. */
    int (*run)(struct ordo_transport *transport);
};

/** All barriers, ending with NULL; generated from the files of algorithm/. */
extern const struct ordo_barrier *const ordo_barriers[];

/** Returns the barrier of this name, or NULL. */
const struct ordo_barrier *ordo_barrier_find(const char *name);

/** For algorithms: the messages of a barrier, which have one byte. `swap` sends and receives at the same time. */
int ordo_barrier_tell(struct ordo_transport *transport, int to);
int ordo_barrier_hear(struct ordo_transport *transport, int from);
int ordo_barrier_swap(struct ordo_transport *transport, int to, int from);

#endif
