/* Probes one host: sends coded pairs at the given rate, and keeps their stamps.
 *
 * A pair is two pings, one right after the other. Each is answered by a pong, which says when the ping came and when
 * the pong is about to leave. The true departure is known only later: the ping of the next pair asks for it. So a pair
 * is open for a while, until all its stamps have most likely come, and is then closed and kept.
 *
 * A restarted peer does not know the session. The prober notices the silence, and says hello again. Anyone can send a
 * recorded answer again, so a recorded answer must neither break the silence nor end the new hello:
 *   [P1] The prober has heard its peer only if a pong is the first one to a ping of an open pair. A pong of an earlier
 *        session, or of a closed pair, is refused and changes nothing.
 *   [P2] A welcome answers a hello that was said since the session was lost: an earlier hello has a lower number.
 *   [P3] Both come from the probed address. */
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
    uint16_t key; /* the number of the key that seals questions and answers */
    int64_t every_ns, spacing_ns;
    uint64_t client, session;       /* session 0: it must say hello first */
    uint64_t hellos, hellos_before; /* number of hellos said, and of those before the session was lost */
    int64_t next_ns, heard_ns;      /* CLOCK_MONOTONIC */
    uint64_t sent, closed;          /* pairs */
    uint64_t random;
    int64_t peer_now_ns; /* the peer's clock at its welcome */
    struct ordo_net_open_pair open[ORDO_NET_OPEN_PAIRS];
    struct ordo_net_pair *kept; /* pair number n at n modulo ORDO_NET_KEPT_PAIRS */
};

/** Makes a prober with key 1, until another is set. The first probe leaves at once. False if out of memory or random
 * numbers. */
bool ordo_net_prober_make(struct ordo_net_prober *prober, const struct ordo_net_address *to, int64_t every_ns,
                          int64_t spacing_ns);
void ordo_net_prober_free(struct ordo_net_prober *prober);

/** Sends what is due at `next_ns`. */
void ordo_net_prober_act(struct ordo_net_prober *prober, struct ordo_net_port *port, int64_t now_ns);

/** Takes a welcome or pong for this prober. False: it is for another one. */
bool ordo_net_prober_take(struct ordo_net_prober *prober, struct ordo_net_port *port,
                          const struct ordo_net_message *message, const struct ordo_net_arrival *arrival);

/** Takes the true departure of a ping of this prober. False: it is for another one. */
bool ordo_net_prober_departed(struct ordo_net_prober *prober, const struct ordo_net_departure *departure);

#endif
