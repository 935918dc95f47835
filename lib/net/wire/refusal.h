/* The reasons to refuse a datagram. Its sender gets no answer; each refusal is counted by its reason, and a question
 * returns the counts. */
#ifndef ORDO_NET_WIRE_REFUSAL_H
#define ORDO_NET_WIRE_REFUSAL_H

enum ordo_net_refusal {
    ORDO_NET_TRUNCATED,  /* shorter than any message, or than its kind */
    ORDO_NET_OVERSIZED,  /* longer than its kind */
    ORDO_NET_FOREIGN,    /* not one of ours */
    ORDO_NET_VERSION,    /* of another version of the messages */
    ORDO_NET_KIND,       /* of an unknown kind */
    ORDO_NET_UNKNOWN,    /* its key number is unknown */
    ORDO_NET_KEY,        /* not sealed with this key, or changed on its way */
    ORDO_NET_FIELD,      /* sealed, but with a field out of its range */
    ORDO_NET_SESSION,    /* of a session that this end does not know */
    ORDO_NET_REPLAYED,   /* it came before, or is too old to be checked */
    ORDO_NET_RATE,       /* more than its session may send in a second */
    ORDO_NET_CROWDED,    /* no place for another session */
    ORDO_NET_UNEXPECTED, /* an answer that no question waits for (any more) */
    ORDO_NET_UNANSWERED, /* the answer could not be sent */
    ORDO_NET_REFUSALS,
    ORDO_NET_ACCEPTED = -1
};

/** Returns one word, for counts: "truncated", "oversized", ... NULL: no such reason. */
const char *ordo_net_refusal_name(int refusal);

#endif
