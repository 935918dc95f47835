/* The reasons to refuse a datagram. The sender of a refused datagram gets no answer. Refusals are counted by reason;
 * the question ORDO_NET_COUNT asks for the counts. */
#ifndef ORDO_NET_WIRE_REFUSAL_H
#define ORDO_NET_WIRE_REFUSAL_H

enum ordo_net_refusal {
    ORDO_NET_TRUNCATED,  /* it is shorter than a message of its kind */
    ORDO_NET_OVERSIZED,  /* it is longer than a message of its kind */
    ORDO_NET_FOREIGN,    /* it does not begin with "ORDN" */
    ORDO_NET_VERSION,    /* its version is not that of this program */
    ORDO_NET_KIND,       /* its kind is unknown */
    ORDO_NET_UNKNOWN,    /* the number of its key is unknown */
    ORDO_NET_KEY,        /* it was sealed with another key, or changed on its way */
    ORDO_NET_FIELD,      /* its seal is right, but a field is out of range */
    ORDO_NET_SESSION,    /* its session is unknown here */
    ORDO_NET_REPLAYED,   /* its number came before, or is too old to be checked */
    ORDO_NET_RATE,       /* its session has asked too many questions in this second, or there were too many hellos */
    ORDO_NET_CROWDED,    /* all slots for sessions are occupied */
    ORDO_NET_UNEXPECTED, /* it is an answer for which no question waits */
    ORDO_NET_UNANSWERED, /* it was accepted, but the answer could not be sent */
    ORDO_NET_REFUSALS,
    ORDO_NET_ACCEPTED = -1
};

/** Returns the name of a reason: "truncated", "oversized", ... NULL: there is no such reason. */
const char *ordo_net_refusal_name(int refusal);

#endif
