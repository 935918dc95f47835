/* The tags of all messages between ranks, so that no two kinds are ever confused. */
#ifndef ORDO_CLUSTER_TRANSPORT_TAGS_H
#define ORDO_CLUSTER_TRANSPORT_TAGS_H

enum ordo_tag {
    /* Synchronisations and checks. */
    ORDO_TAG_GO = 1,
    ORDO_TAG_PING,
    ORDO_TAG_PONG,
    ORDO_TAG_MODEL,
    ORDO_TAG_AGREE,
    ORDO_TAG_CHECK,
    ORDO_TAG_HARMONY,
    ORDO_TAG_SKEW,
    /* Verifications, between the lowest ranks of nodes. */
    ORDO_TAG_VERIFY,
    /* A tool: the turn to call MPI_Wtime for the first time. */
    ORDO_TAG_TURN,
    /* A transport's messages have tags below this. */
    ORDO_TAG_END = 1000,
    /* Roll calls have tags above it. */
    ORDO_TAG_NOTE
};

#endif
