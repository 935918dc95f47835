/* The network ports of the nodes of a simulated cluster. A message between nodes occupies the port of its sender's node,
 * and then the port of its receiver's node, for a fixed time each. Messages that want one port at the same time go one
 * after another. */
#ifndef ORDO_CLUSTER_TRANSPORT_SIM_PORT_H
#define ORDO_CLUSTER_TRANSPORT_SIM_PORT_H

#include <stdint.h>

struct ordo_sim_ports;

enum ordo_sim_way { ORDO_SIM_OUT, ORDO_SIM_IN };

/** Returns the ports of `nodes` nodes; a message occupies one for `port_ns`, which is positive. NULL: out of memory. */
struct ordo_sim_ports *ordo_sim_ports_new(int nodes, int64_t port_ns);

void ordo_sim_ports_free(struct ordo_sim_ports *ports);

/** Lets a message pass that reaches the port at `at_ns`. Returns when it has passed. The calls need not be in the order
 * of time, because a simulated rank may be ahead of others: a message takes the first free time from `at_ns` on. A port
 * remembers the last 4096 times port_ns. */
int64_t ordo_sim_ports_pass(struct ordo_sim_ports *ports, int node, enum ordo_sim_way way, int64_t at_ns);

#endif
