/* The agent of a host. It answers questions that are sealed with one of its keys, and probes other agents if a question
 * orders it. It never sets a clock. */
#ifndef ORDO_NET_LIVE_AGENT_H
#define ORDO_NET_LIVE_AGENT_H

#include "net/live/claims.h"
#include "net/live/port.h"

enum { ORDO_NET_AGENT_EDGES = 64 };

struct ordo_net_agent;

/** Makes an agent, which takes over the port. `per_second` is the number of questions that each guest may ask in a
 * second. NULL if out of memory. */
struct ordo_net_agent *ordo_net_agent_new(const struct ordo_net_port *port, int per_second);
void ordo_net_agent_free(struct ordo_net_agent *agent);

/** Lets the agent tell these claims, which it takes over. Without this call it says that it has none. */
void ordo_net_agent_tell(struct ordo_net_agent *agent, struct ordo_net_claims *claims);

/** Returns the agent's port, with the socket and the counts. */
const struct ordo_net_port *ordo_net_agent_port(const struct ordo_net_agent *agent);

/** Sends probes and answers questions once. Waits for datagrams at most until `until_ns` of CLOCK_MONOTONIC; a signal
 * also ends the wait. */
void ordo_net_agent_step(struct ordo_net_agent *agent, int64_t until_ns);

#endif
