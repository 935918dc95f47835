/* Asks many hosts concurrently: one question to each at a time, repeated while no answer comes. */
#ifndef ORDO_NET_LIVE_ASKER_H
#define ORDO_NET_LIVE_ASKER_H

#include "net/live/port.h"

/** A host, and its current question. */
struct ordo_net_asked {
    struct ordo_net_address address;
    uint16_t key;              /* the number of the key that seals question and answer */
    uint64_t client, session;  /* client: our name there, for good; session 0: it has not answered a hello */
    uint64_t number;           /* of the last question */
    int64_t now_ns, now_at_ns; /* a reading of its clock, and CLOCK_MONOTONIC here when the reading arrived, */
    int64_t now_took_ns;       /* this long after the question was sent: the clock was read within this time */
    enum ordo_net_clock clock;
    enum ordo_net_stamps stamps;
    bool anew;   /* a hello must ask for its clock again */
    bool silent; /* it did not answer in time, or answered something else: it gets no question until the owner clears
                  * this */
    bool slow;   /* questions were left when the time was over: likewise */

    bool waiting;
    struct ordo_net_message question;
    uint64_t first; /* the number of the first try */
    int tries;
    int64_t sent_ns, again_ns, patience_ns;
};

/** The questions, and the receiver of the answers. */
struct ordo_net_asking {
    void *context;
    /** Fills in the host's next question, all but session and number. False: none is left. */
    bool (*next)(void *context, int host, struct ordo_net_message *question);
    /** Takes an answer. False: it does not answer the question. The host becomes silent then, because otherwise it
     * might get the same question for ever. */
    bool (*answered)(void *context, int host, const struct ordo_net_message *answer);
    bool (*stopped)(void); /* true: give up; NULL: never */
    int64_t until_ns;      /* of CLOCK_MONOTONIC: the time to give up; 0: never */
};

/** Asks until each of the hosts has no question left, or is silent or slow. A slow host costs this time only once. */
void ordo_net_ask(struct ordo_net_port *port, struct ordo_net_asked *hosts, int count,
                  const struct ordo_net_asking *asking);

/** Says hello to all hosts, which answer with readings of their clocks. A host that still knows our name keeps the
 * session, so edges are not ordered twice; a restarted host grants a new session. A host that does not answer is
 * silent, and keeps its earlier session. False if out of random numbers. */
bool ordo_net_ask_in(struct ordo_net_port *port, struct ordo_net_asked *hosts, int count, bool (*stopped)(void));

#endif
