/* The clocks and the links of the simulated cluster, as functions of true time and random numbers. */
#ifndef ORDO_CLUSTER_TRANSPORT_SIM_PHYSICS_H
#define ORDO_CLUSTER_TRANSPORT_SIM_PHYSICS_H

#include "cluster/transport/sim_options.h"

int ordo_sim_node_of(const struct ordo_sim_options *options, int rank);
int ordo_sim_socket_of(const struct ordo_sim_options *options, int rank);

/** Returns the value of the clock of `rank` at the true time `true_ns`, rounded down to 1 ns. */
int64_t ordo_sim_clock_at(const struct ordo_sim_options *options, int rank, int64_t true_ns);

/** Returns a random latency for one message. */
int64_t ordo_sim_latency(const struct ordo_sim_options *options, int from, int to, uint64_t *random);

#endif
