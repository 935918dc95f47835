/* The simulated cluster of sim.h on SimGrid's SMPI. The MPI transport sends the messages, over the network of a
 * platform file. SimGrid's time is the true time; the clocks are those of sim_physics.h.
 *
 * The ranks are SMPI's: coroutines of one process, which share its memory. Rank 0 calls ordo_sim_run; all other ranks
 * call ordo_smpi_serve. Differences to sim.h:
 * - `ranks` must be the number of ranks that smpirun started, and nodes must have consecutive ranks;
 * - the latencies of the network are the platform's; latency_ns is the delay by software before the jitter, which is
 *   equal for all messages;
 * - there is no asymmetry, no noise at the end of busy waits, and no failing split;
 * - a read of a clock takes the time of MPI_Wtime. */
#ifndef ORDO_CLUSTER_TRANSPORT_SMPI_SIM_H
#define ORDO_CLUSTER_TRANSPORT_SMPI_SIM_H

#include "cluster/transport/sim.h"

/** On ranks other than 0: takes part in the runs of rank 0, until rank 0 calls ordo_smpi_end. */
void ordo_smpi_serve(void);

/** On rank 0, after the last run: lets the other ranks return from ordo_smpi_serve. */
void ordo_smpi_end(void);

#endif
