/* Asks many hosts at the same time: one question to each at a time, again while no answer comes. */
#ifndef ORDO_NET_LIVE_ASKER_H
#define ORDO_NET_LIVE_ASKER_H

#include "net/live/port.h"

/** A host, and the question that it was asked. */
struct ordo_net_asked {
    struct ordo_net_address address;
    uint16_t key;              /* the number of the key that it is asked with, and is to answer with */
    uint64_t client, session;  /* client: our name there, for good; session 0: it has not answered a hello */
    uint64_t number;           /* of the last question */
    int64_t now_ns, now_at_ns; /* what its clock showed, and CLOCK_MONOTONIC here when that came: */
    int64_t now_took_ns;       /* so long after it was asked, since when the clock may have shown it */
    enum ordo_net_clock clock;
    enum ordo_net_stamps stamps;
    bool anew;   /* its clock is to be asked for, by a hello */
    bool silent; /* it has not answered in time, or something else: it is asked no more until somebody clears this */
    bool slow;   /* there was still something to be asked of it when the time was over: likewise */

    bool waiting;
    struct ordo_net_message question;
    uint64_t first; /* the number under which the question was sent first */
    int tries;
    int64_t sent_ns, again_ns, patience_ns;
};

/** What to ask, and what becomes of the answers. */
struct ordo_net_asking {
    void *context;
    /** Fills in the host's next question, all but session and number; false: there is none. */
    bool (*next)(void *context, int host, struct ordo_net_message *question);
    /** Takes the answer; false: it is not to what was asked. Its host is silent then, or it could be asked the same for ever. */
    bool (*answered)(void *context, int host, const struct ordo_net_message *answer);
    bool (*stopped)(void); /* whether to give up; NULL: never */
    int64_t until_ns;      /* of CLOCK_MONOTONIC: when to give up; 0: never */
};

/** Asks until each of the hosts has no question left, or is silent or slow. A host that is slow costs this time only once. */
void ordo_net_ask(struct ordo_net_port *port, struct ordo_net_asked *hosts, int count,
                  const struct ordo_net_asking *asking);

/** Says hello to all hosts, which tell what their clocks show. Who says it again by the same name, to a host that still knows it, keeps
 * the session, and its edges are not there twice; a host that was started anew gives a new one. Who does not answer is silent, and keeps
 * what it was given before. False where chance ran out. */
bool ordo_net_ask_in(struct ordo_net_port *port, struct ordo_net_asked *hosts, int count, bool (*stopped)(void));

#endif
