/* The guests that may ask an agent, and the questions that each has asked already.
 *
 * Nothing in a datagram says that it is new: a sealed datagram can be recorded, and sent again later.
 *   [S1] The agent draws a session's number at random, when a guest says hello. So a datagram that was sealed in
 *        another session, or for an agent that ran before, is of an unknown session, and refused.
 *   [S2] Within a session each number is taken once (net/wire/replay.h).
 *   [S3] A hello that is sent again gets its sender nothing but a session that it cannot use, because it cannot seal.
 *        Such a guest has its place until another guest wants it; a guest that has asked anything keeps its place.
 *   [S4] A session belongs to one key: the owner of another key can read the session's number, but cannot ask in it. */
#ifndef ORDO_NET_LIVE_GUESTS_H
#define ORDO_NET_LIVE_GUESTS_H

#include "net/live/limit.h"
#include "net/wire/message.h"
#include "net/wire/replay.h"

enum { ORDO_NET_GUESTS = 64, ORDO_NET_DEPARTURES = 64, ORDO_NET_HELLOS_PER_SECOND = 200 };

struct ordo_net_guest {
    uint64_t client, session; /* session 0: no guest */
    uint16_t key;             /* the key of its hello [S4] */
    bool confirmed;           /* it has asked something in the session */
    int64_t heard_ns;
    struct ordo_net_replay hellos, questions;
    struct ordo_net_limit limit;
    struct {
        uint64_t number;
        int64_t left_ns;         /* 0: unknown */
    } left[ORDO_NET_DEPARTURES]; /* of the latest pongs, by their number */
};

struct ordo_net_guests {
    struct ordo_net_guest guest[ORDO_NET_GUESTS];
    struct ordo_net_limit hellos;
    int per_second; /* number of questions that a guest may ask in a second */
};

/** Returns the guest that says hello: a known one, or a new one. NULL: refused, with the reason. */
struct ordo_net_guest *ordo_net_guests_welcome(struct ordo_net_guests *guests, const struct ordo_net_message *hello,
                                               int64_t now_ns, enum ordo_net_refusal *refusal);

/** Returns the guest that asks in a session. NULL: refused, with the reason. */
struct ordo_net_guest *ordo_net_guests_admit(struct ordo_net_guests *guests, const struct ordo_net_message *question,
                                             int64_t now_ns, enum ordo_net_refusal *refusal);

/** Returns the guest of a session; NULL: none. */
struct ordo_net_guest *ordo_net_guests_find(struct ordo_net_guests *guests, uint64_t session);

#endif
