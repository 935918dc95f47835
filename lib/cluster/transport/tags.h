/* The tags of all messages between ranks. Each kind of message has its own tag. */
#ifndef ORDO_CLUSTER_TRANSPORT_TAGS_H
#define ORDO_CLUSTER_TRANSPORT_TAGS_H

enum ordo_tag {
    /* Messages of synchronisations and checks. */
    ORDO_TAG_GO = 1,
    ORDO_TAG_PING,
    ORDO_TAG_PONG,
    ORDO_TAG_MODEL,
    ORDO_TAG_AGREE,
    ORDO_TAG_CHECK,
    ORDO_TAG_HARMONY,
    ORDO_TAG_SKEW,
    /* Messages of barriers, and of measurements after them. */
    ORDO_TAG_BARRIER,
    ORDO_TAG_SCHEME,
    /* Messages of verifications, between the lowest ranks of nodes. */
    ORDO_TAG_VERIFY,
    /* Message of a tool: the receiver may now call MPI_Wtime for the first time. */
    ORDO_TAG_TURN,
    /* All tags of messages through a transport are below ORDO_TAG_END. */
    ORDO_TAG_END = 1000,
    /* Messages of roll calls, which do not go through a transport. */
    ORDO_TAG_NOTE
};

#endif
