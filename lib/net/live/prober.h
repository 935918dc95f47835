/* Probes one host: coded pairs there and back, as fast as asked for, and keeps what they saw.
 *
 * A pair is two pings, one right after the other; each is answered by a pong, which says when the ping came and when the pong is
 * about to leave. When it really left is known only then: the ping of the next pair asks for it. So a pair is open for a
 * while, until all that is to be known of it has most likely come, and is then closed and kept.
 *
 * A peer that was started anew does not know the session. The prober notices by silence, and says hello again. Anyone can send a recorded
 * answer again, so it must neither break the silence nor end the new hello:
 *   [P1] The prober has heard its peer only if a pong is the first one to a ping of an open pair. A pong of an earlier session, or of a
 *        closed pair, is refused and changes nothing.
 *   [P2] A welcome answers a hello that was said since the session was lost: an earlier one has a lower number.
 *   [P3] Both come from the address that is probed. */
#ifndef ORDO_NET_LIVE_PROBER_H
#define ORDO_NET_LIVE_PROBER_H

#include "net/live/port.h"

enum { ORDO_NET_OPEN_PAIRS = 16, ORDO_NET_KEPT_PAIRS = 4096 };

struct ordo_net_open_pair {
    uint64_t number;
    struct ordo_net_pair pair;
    bool sent_fine[2], received_fine[2], back_fine[2], returned_fine[2];
};

struct ordo_net_prober {
    struct ordo_net_address to;
    uint16_t key; /* the number of the key that it asks with, and wants to be answered with */
    int64_t every_ns, spacing_ns;
    uint64_t client, session;       /* session 0: it has to say hello first */
    uint64_t hellos, hellos_before; /* said, and of these before the session was lost */
    int64_t next_ns, heard_ns;      /* CLOCK_MONOTONIC */
    uint64_t sent, closed;          /* pairs */
    uint64_t random;
    int64_t peer_now_ns; /* what the peer's clock showed when it came to know of us */
    struct ordo_net_open_pair open[ORDO_NET_OPEN_PAIRS];
    struct ordo_net_pair *kept; /* pair number n at n modulo ORDO_NET_KEPT_PAIRS */
};

/** With key 1, until that is set. False where memory or chance ran out. The first probe leaves at once. */
bool ordo_net_prober_make(struct ordo_net_prober *prober, const struct ordo_net_address *to, int64_t every_ns,
                          int64_t spacing_ns);
void ordo_net_prober_free(struct ordo_net_prober *prober);

/** Does what is due at `next_ns`. */
void ordo_net_prober_act(struct ordo_net_prober *prober, struct ordo_net_port *port, int64_t now_ns);

/** Takes a welcome or pong that is for this prober; false: it is for another one. */
bool ordo_net_prober_take(struct ordo_net_prober *prober, struct ordo_net_port *port,
                          const struct ordo_net_message *message, const struct ordo_net_arrival *arrival);

/** Takes the true departure of a ping of this prober; false: it is another's. */
bool ordo_net_prober_departed(struct ordo_net_prober *prober, const struct ordo_net_departure *departure);

#endif
