/* Probes one host: sends coded pairs at the given rate, and keeps their stamps.
 *
 * A pair is two pings, the second right after the first. The peer answers each ping by a pong, which has the arrival of
 * the ping, and a reading of the clock just before the pong leaves. The stamp of the pong's departure is known only
 * later: the ping of the next pair asks for it. So a pair stays open until ORDO_NET_OPEN_PAIRS more pairs are sent. By
 * then all its stamps have probably come: the pair is closed, and its stamps are kept.
 *
 * A restarted peer does not know the session. The prober notices the silence, and says hello again. Anyone can record
 * an answer and send it again, but such an answer must not pass as a sign of life, nor as the answer to the new hello:
 *   [P1] A pong is a sign of life only if it is the first pong to a ping of an open pair. A pong of an earlier session,
 *        or of a closed pair, is refused and changes nothing.
 *   [P2] A welcome counts only if it answers a hello that was sent after the session was lost. Earlier hellos have
 *        lower numbers.
 *   [P3] Pongs and welcomes count only if they come from the probed address. */
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
    uint16_t key; /* number of the key that seals questions and answers */
    int64_t every_ns, spacing_ns;
    uint64_t client, session;       /* client: its name at the peer; session 0: there is no session */
    uint64_t hellos, hellos_before; /* number of hellos, in all and before the session was lost */
    int64_t next_ns, heard_ns;      /* CLOCK_MONOTONIC at the next probe, and at the last sign of life */
    uint64_t sent, closed;          /* number of pairs that were sent, and that are closed */
    uint64_t random;
    int64_t peer_now_ns; /* reading of the peer's clock in its welcome */
    struct ordo_net_open_pair open[ORDO_NET_OPEN_PAIRS];
    struct ordo_net_pair *kept; /* closed pairs; index: number modulo ORDO_NET_KEPT_PAIRS */
};

/** Makes a prober, with 1 as the number of its key. The first probe is due at once. False if out of memory or random
 * numbers. */
bool ordo_net_prober_make(struct ordo_net_prober *prober, const struct ordo_net_address *to, int64_t every_ns,
                          int64_t spacing_ns);
void ordo_net_prober_free(struct ordo_net_prober *prober);

/** Sends a pair or a hello. Call it when next_ns is reached. */
void ordo_net_prober_act(struct ordo_net_prober *prober, struct ordo_net_port *port, int64_t now_ns);

/** Takes a welcome or a pong. False: the message is not for this prober. */
bool ordo_net_prober_take(struct ordo_net_prober *prober, struct ordo_net_port *port,
                          const struct ordo_net_message *message, const struct ordo_net_arrival *arrival);

/** Takes the stamp of a ping's departure. False: the ping is not from this prober. */
bool ordo_net_prober_departed(struct ordo_net_prober *prober, const struct ordo_net_departure *departure);

#endif
