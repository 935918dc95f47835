/* The simulated cluster of sim.h on SimGrid's SMPI. The messages are those of the MPI transport itself, over the
 * network of a platform file; the clocks are those of sim_physics.h on top of SimGrid's time, which is the true one.
 *
 * The ranks are SMPI's, coroutines of one process, so that they share its memory. Rank 0 calls ordo_sim_run; all others
 * serve it. Differences: `ranks` must be the number that smpirun started, filling one node after the other. The
 * latencies are the platform's; latency_ns is the delay that software adds to every message, near or far, before its
 * jitter. There is no asymmetry, no noise of busy waits and no failing split. A read of a clock takes the time of
 * MPI_Wtime. */
#ifndef ORDO_CLUSTER_TRANSPORT_SMPI_SIM_H
#define ORDO_CLUSTER_TRANSPORT_SMPI_SIM_H

#include "cluster/transport/sim.h"

/** Ranks other than 0: runs the jobs of rank 0, until it ends. */
void ordo_smpi_serve(void);

/** Rank 0, at the end: releases the others. */
void ordo_smpi_end(void);

#endif
