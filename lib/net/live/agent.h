/* The agent of a host: answers who has the key, and probes other agents when it is told to. It never sets a clock. */
#ifndef ORDO_NET_LIVE_AGENT_H
#define ORDO_NET_LIVE_AGENT_H

#include "net/live/port.h"

enum { ORDO_NET_AGENT_EDGES = 64 };

struct ordo_net_agent;

/** Takes over the port. `per_second`: questions that each of its guests may ask. NULL where memory ran out. */
struct ordo_net_agent *ordo_net_agent_new(const struct ordo_net_port *port, int per_second);
void ordo_net_agent_free(struct ordo_net_agent *agent);

/** What it listens with, and its counts. */
const struct ordo_net_port *ordo_net_agent_port(const struct ordo_net_agent *agent);

/** Does what there is to be done until `until_ns` of CLOCK_MONOTONIC, or until a signal comes. */
void ordo_net_agent_step(struct ordo_net_agent *agent, int64_t until_ns);

#endif
