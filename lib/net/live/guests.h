/* The guests that may ask an agent, and the numbers of the questions that each guest has asked.
 *
 * Anyone can record a sealed datagram and send it again later; the datagram itself does not show this. The agent
 * refuses such datagrams:
 *   [S1] When a guest says hello, the agent draws a random number for the session. So a datagram of an earlier session,
 *        or for an agent that ran earlier, has an unknown session, and is refused.
 *   [S2] Within a session, each number is accepted once (net/wire/replay.h).
 *   [S3] The sender of a recorded hello gets a session, but cannot use it, because it cannot seal a question. Its slot
 *        can be taken by another guest at once. The slot of a guest that has asked a question can be taken only after
 *        60 s without a question.
 *   [S4] A session belongs to one key. The owner of another key can read the number of the session, but cannot ask
 *        questions in it. */
#ifndef ORDO_NET_LIVE_GUESTS_H
#define ORDO_NET_LIVE_GUESTS_H

#include "net/live/limit.h"
#include "net/wire/message.h"
#include "net/wire/replay.h"

enum { ORDO_NET_GUESTS = 64, ORDO_NET_DEPARTURES = 64, ORDO_NET_HELLOS_PER_SECOND = 200 };

struct ordo_net_guest {
    uint64_t client, session; /* session 0: the slot is empty */
    uint16_t key;             /* number of the key of its hello [S4] */
    bool confirmed;           /* true if it has asked a question in the session */
    int64_t heard_ns;
    struct ordo_net_replay hellos, questions;
    struct ordo_net_limit limit;
    struct {
        uint64_t number;
        int64_t left_ns;         /* stamp of the departure; 0: unknown */
    } left[ORDO_NET_DEPARTURES]; /* the latest pongs; index: number modulo ORDO_NET_DEPARTURES */
};

struct ordo_net_guests {
    struct ordo_net_guest guest[ORDO_NET_GUESTS];
    struct ordo_net_limit hellos;
    int per_second; /* number of questions that a guest may ask in a second */
};

/** Returns the guest that says hello, which is known or gets a slot. NULL: the hello is refused for `*refusal`. */
struct ordo_net_guest *ordo_net_guests_welcome(struct ordo_net_guests *guests, const struct ordo_net_message *hello,
                                               int64_t now_ns, enum ordo_net_refusal *refusal);

/** Returns the guest that asks the question. NULL: the question is refused for `*refusal`. */
struct ordo_net_guest *ordo_net_guests_admit(struct ordo_net_guests *guests, const struct ordo_net_message *question,
                                             int64_t now_ns, enum ordo_net_refusal *refusal);

/** Returns the guest of a session. NULL: there is no such session. */
struct ordo_net_guest *ordo_net_guests_find(struct ordo_net_guests *guests, uint64_t session);

#endif
