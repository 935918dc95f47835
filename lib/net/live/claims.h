/* The claims about UTC that programs of this host make, for the hosts that ask the agent.
 *
 * A source may need long: a daemon may not answer. So a thread reads the sources, and the agent never waits for it. The
 * thread reads only on request. A question is answered from claims that are at most a quarter of a second old; until
 * then it gets no answer, and its sender repeats it. */
#ifndef ORDO_NET_LIVE_CLAIMS_H
#define ORDO_NET_LIVE_CLAIMS_H

#include "net/live/take.h"
#include "net/wire/message.h"

struct ordo_net_claims;

/** Begins a thread that reads these sources, at most ORDO_NET_MOST_HOST_CLAIMS. Their paths must outlive the thread. NULL
 * if out of memory or threads. */
struct ordo_net_claims *ordo_net_claims_new(const struct ordo_net_claimed_source *sources, int count,
                                            enum ordo_net_clock clock);
/** Ends the thread, after the source that it is reading. NULL is ignored. */
void ordo_net_claims_free(struct ordo_net_claims *claims);

/** Fills in the answer to a question of kind ORDO_NET_CLAIMS. False: there are no recent claims; the thread has been
 * told to read them. */
bool ordo_net_claims_give(struct ordo_net_claims *claims, uint16_t first, struct ordo_net_message *answer);

#endif
