/* Who may ask an agent, and what each of them has asked already.
 *
 * Nothing in a datagram says that it is new: a seal can be recorded, and sent again later.
 *   [S1] A session's number is drawn by the agent, at random, when somebody says hello. So what was sealed before in another
 *        session, or to an agent that ran before, is of a session that is not known, and refused.
 *   [S2] Within a session each number is taken once (net/wire/replay.h).
 *   [S3] A hello that is sent again gets its sender nothing but a session that it cannot use, since it cannot seal. Such a guest
 *        has its place until another one wants it, and a guest that has asked anything keeps its place.
 *   [S4] A session is that of one key: who has another one can read the session's number, and cannot ask in it. */
#ifndef ORDO_NET_LIVE_GUESTS_H
#define ORDO_NET_LIVE_GUESTS_H

#include "net/live/limit.h"
#include "net/wire/message.h"
#include "net/wire/replay.h"

enum { ORDO_NET_GUESTS = 64, ORDO_NET_DEPARTURES = 64, ORDO_NET_HELLOS_PER_SECOND = 200 };

struct ordo_net_guest {
    uint64_t client, session; /* session 0: no guest */
    uint16_t key;             /* with which it said hello [S4] */
    bool confirmed;           /* it has asked something in the session */
    int64_t heard_ns;
    struct ordo_net_replay hellos, questions;
    struct ordo_net_limit limit;
    struct {
        uint64_t number;
        int64_t left_ns;         /* 0: not known */
    } left[ORDO_NET_DEPARTURES]; /* of the latest pongs, by their number */
};

struct ordo_net_guests {
    struct ordo_net_guest guest[ORDO_NET_GUESTS];
    struct ordo_net_limit hellos;
    int per_second; /* that a guest may ask */
};

/** The guest that says hello: one of before, or a new one. NULL: it is refused, and why. */
struct ordo_net_guest *ordo_net_guests_welcome(struct ordo_net_guests *guests, const struct ordo_net_message *hello,
                                               int64_t now_ns, enum ordo_net_refusal *refusal);

/** The guest that asks in a session. NULL: it is refused, and why. */
struct ordo_net_guest *ordo_net_guests_admit(struct ordo_net_guests *guests, const struct ordo_net_message *question,
                                             int64_t now_ns, enum ordo_net_refusal *refusal);

/** The guest of a session; NULL: there is none. */
struct ordo_net_guest *ordo_net_guests_find(struct ordo_net_guests *guests, uint64_t session);

#endif
