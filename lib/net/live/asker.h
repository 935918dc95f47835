/* Asks many hosts concurrently. Each host gets one question at a time, which is repeated until the answer comes. */
#ifndef ORDO_NET_LIVE_ASKER_H
#define ORDO_NET_LIVE_ASKER_H

#include "net/live/port.h"

/** A host, and the question that it has to answer. */
struct ordo_net_asked {
    struct ordo_net_address address;
    uint16_t key;              /* number of the key that seals questions and answers */
    uint64_t client, session;  /* client: our permanent name there; session: 0 until it answers a hello */
    uint64_t number;           /* number of the last question */
    int64_t now_ns, now_at_ns; /* a reading of its clock, and CLOCK_MONOTONIC here when the reading arrived */
    int64_t now_took_ns;       /* time from the question to this arrival; the clock was read within this time */
    enum ordo_net_clock clock;
    enum ordo_net_stamps stamps;
    bool anew;   /* a hello must still ask for a new reading of its clock */
    bool silent; /* it did not answer in time, or its answer was wrong. It gets no question until the caller clears
                  * `silent` */
    bool slow;   /* the time was over before it had answered all questions. It gets no question until the caller clears
                  * `slow` */
    bool mute, lame; /* the caller's copies of `silent` and `slow` */

    bool waiting;
    struct ordo_net_message question;
    uint64_t first; /* number of the first try of the present question */
    int tries;
    int64_t sent_ns, again_ns, patience_ns;
};

/** The functions that make questions and take answers. */
struct ordo_net_asking {
    void *context;
    /** Fills in the next question for the host, except session, number and key. False: there is no question left. */
    bool (*next)(void *context, int host, struct ordo_net_message *question);
    /** Takes an answer. False: this is no answer to the question. The host then becomes silent, because otherwise it
     * might get the same question for ever. */
    bool (*answered)(void *context, int host, const struct ordo_net_message *answer);
    bool (*stopped)(void); /* true: ordo_net_ask gives up; NULL: never */
    int64_t until_ns;      /* ordo_net_ask gives up at this time of CLOCK_MONOTONIC; 0: never */
};

/** Asks until there is no question left, except for silent and slow hosts. A host that is slow at the end of the time
 * is not asked in later calls, so it costs this time only once. */
void ordo_net_ask(struct ordo_net_port *port, struct ordo_net_asked *hosts, int count,
                  const struct ordo_net_asking *asking);

/** Says hello to all hosts, and stores the readings of their clocks that they answer with. A host that still knows our
 * name grants the same session as before, so its edges need not be ordered again; a restarted host grants a new
 * session. A host that does not answer becomes silent, and its `session` does not change. False if out of random
 * numbers. */
bool ordo_net_ask_in(struct ordo_net_port *port, struct ordo_net_asked *hosts, int count, bool (*stopped)(void));

#endif
