/* What a host knows of one of its peers: questions and answers in, an offset and a drift out. */
#ifndef ORDO_LAB_NET_FIREFLY_PEER_H
#define ORDO_LAB_NET_FIREFLY_PEER_H

#include <stdbool.h>
#include <stdint.h>

enum {
    ORDO_NET_FIREFLY_KEPT = 5, /* answers of a round: those that were there and back the soonest */
    ORDO_NET_FIREFLY_PAST = 16 /* rounds that a drift is of */
};

/** A question and its answer. */
struct ordo_net_firefly_answer {
    int64_t at_ps;    /* on the asking host's clock, when the answer came */
    int64_t rtt_ps;   /* on the way there and back */
    double offset_ps; /* the peer's clock minus the host's, if both ways are equal */
    double ahead_ps;  /* what the peer adds to its clock for the common time, */
    double rate;      /* which grows by this */
};

struct ordo_net_firefly_peer {
    int host;
    struct ordo_net_firefly_answer kept[ORDO_NET_FIREFLY_KEPT]; /* of this round, the soonest first */
    int answers;
    struct {
        int64_t at_ps;
        double offset_ps;
    } past[ORDO_NET_FIREFLY_PAST];
    int rounds;
};

/** Takes an answer in, if it is among the soonest of its round. */
void ordo_net_firefly_hear(struct ordo_net_firefly_peer *peer, const struct ordo_net_firefly_answer *answer);

/** Ends the peer's round: the answer whose offset is the median of those kept, and by how much the peer's clock gains on the
 * host's (0 until three rounds are past). False where no answer came. A stamp that is far off can make its exchange the soonest: that
 * is why it is a median. */
bool ordo_net_firefly_listen(struct ordo_net_firefly_peer *peer, struct ordo_net_firefly_answer *answer, double *drift);

/** The mean without the lowest and the highest quarter, rounded down; sorts them. `count` must be positive. */
double ordo_net_firefly_mean(double *values, int count);

#endif
