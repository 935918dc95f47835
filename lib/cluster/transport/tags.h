/* The tags of all messages between ranks, so that no two kinds are ever taken for each other. */
#ifndef ORDO_CLUSTER_TRANSPORT_TAGS_H
#define ORDO_CLUSTER_TRANSPORT_TAGS_H

enum ordo_tag {
    /* Of synchronisations and checks. */
    ORDO_TAG_GO = 1,
    ORDO_TAG_PING,
    ORDO_TAG_PONG,
    ORDO_TAG_MODEL,
    ORDO_TAG_AGREE,
    ORDO_TAG_CHECK,
    ORDO_TAG_HARMONY,
    ORDO_TAG_SKEW,
    /* Of verifications, between the lowest ranks of nodes. */
    ORDO_TAG_VERIFY,
    /* Of a tool: whose turn it is to call MPI_Wtime for the first time. */
    ORDO_TAG_TURN,
    /* A transport's messages are below this, */
    ORDO_TAG_END = 1000,
    /* and above them those of roll calls. */
    ORDO_TAG_NOTE
};

#endif
