/* The simulated cluster of sim.h once more, on SimGrid's SMPI: the messages are those of the MPI transport itself, over the
 * network of a platform file, and the clocks are those of sim_physics.h on top of SimGrid's time, which is the true one.
 *
 * The ranks are SMPI's, coroutines of one process, so that they share its memory. Rank 0 calls ordo_sim_run; all others
 * serve it. Differences: `ranks` has to be the number that smpirun started, filling one node after the other; latencies
 * are the platform's, and latency_ns is what software adds to every message, near or far, before its jitter; there is no
 * asymmetry, no noise of busy waits and no failing split, and clocks take the time of MPI_Wtime to read. */
#ifndef ORDO_CLUSTER_TRANSPORT_SMPI_SIM_H
#define ORDO_CLUSTER_TRANSPORT_SMPI_SIM_H

#include "cluster/transport/sim.h"

/** What ranks other than 0 do: run what rank 0 runs, until it ends. */
void ordo_smpi_serve(void);

/** Rank 0, at the end: lets the others go. */
void ordo_smpi_end(void);

#endif
