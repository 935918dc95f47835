/* A host's knowledge of one of its peers: it takes answers, and returns an offset and a drift. */
#ifndef ORDO_LAB_NET_FIREFLY_PEER_H
#define ORDO_LAB_NET_FIREFLY_PEER_H

#include <stdbool.h>
#include <stdint.h>

enum {
    ORDO_NET_FIREFLY_KEPT = 5, /* answers kept in a round: those with the shortest round trips */
    ORDO_NET_FIREFLY_PAST = 16 /* number of rounds from which a drift is computed */
};

/** A question and its answer. */
struct ordo_net_firefly_answer {
    int64_t at_ps;    /* reading of the asking host's clock when the answer came */
    int64_t rtt_ps;   /* the round trip */
    double offset_ps; /* the peer's clock minus the host's, if both directions take equal times */
    double ahead_ps;  /* the amount that the peer adds to its clock for the common time */
    double rate;      /* the rate at which ahead_ps grows */
};

struct ordo_net_firefly_peer {
    int host;
    struct ordo_net_firefly_answer kept[ORDO_NET_FIREFLY_KEPT]; /* of this round, shortest round trip first */
    int answers;
    struct {
        int64_t at_ps;
        double offset_ps;
    } past[ORDO_NET_FIREFLY_PAST];
    int rounds;
};

/** Keeps an answer if its round trip is among the shortest of the round. */
void ordo_net_firefly_hear(struct ordo_net_firefly_peer *peer, const struct ordo_net_firefly_answer *answer);

/** Ends the peer's round. Sets *answer to the kept answer with the median offset, and *drift to the rate at which the
 * peer's clock gains on the host's (0 until three rounds are past). Returns false if no answer came. The median is used
 * because a stamp that is far off can make its exchange the one with the shortest round trip. */
bool ordo_net_firefly_listen(struct ordo_net_firefly_peer *peer, struct ordo_net_firefly_answer *answer, double *drift);

/** Returns the mean of the values without the lowest and the highest quarter (each rounded down to a whole number of
 * values). Sorts the values. `count` must be positive. */
double ordo_net_firefly_mean(double *values, int count);

#endif
