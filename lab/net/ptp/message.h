/* The messages of PTP, and their encoding in the words of a packet.
 *
 * IEEE Std 1588-2008, clause 13: sizes are those of the messages on UDP and IPv4, in an Ethernet frame without its
 * check sequence. */
#ifndef ORDO_LAB_NET_PTP_MESSAGE_H
#define ORDO_LAB_NET_PTP_MESSAGE_H

#include "lab/net/ptp/dataset.h"
#include "lab/net/sim/network.h"

enum ordo_net_ptp_type {
    ORDO_NET_PTP_ANNOUNCE,
    ORDO_NET_PTP_SYNC,
    ORDO_NET_PTP_FOLLOW_UP,
    ORDO_NET_PTP_DELAY_REQ,
    ORDO_NET_PTP_DELAY_RESP,
    ORDO_NET_PTP_PDELAY_REQ,
    ORDO_NET_PTP_PDELAY_RESP,
    ORDO_NET_PTP_PDELAY_RESP_FOLLOW_UP,
};

struct ordo_net_ptp_message {
    enum ordo_net_ptp_type type;
    struct ordo_net_ptp_port_id sender;
    int requester; /* of an answer: the node that asked */
    uint16_t sequence;
    int64_t time_ps;       /* of a follow-up, when the message before it left; of an answer, when the question came */
    int64_t correction_ps; /* the time for which the packet, or the question, has waited in transparent clocks */
};

/** Returns the size of a message in a frame. */
int ordo_net_ptp_bytes(enum ordo_net_ptp_type type);

struct ordo_net_packet ordo_net_ptp_pack(const struct ordo_net_ptp_message *message);
struct ordo_net_ptp_message ordo_net_ptp_unpack(const struct ordo_net_packet *packet);

/** Packs an Announce, which carries a dataset instead of times. ordo_net_ptp_unpack_announce unpacks it. */
struct ordo_net_packet ordo_net_ptp_pack_announce(const struct ordo_net_ptp_dataset *dataset);
struct ordo_net_ptp_dataset ordo_net_ptp_unpack_announce(const struct ordo_net_packet *packet);

/** Adds `waited_ps` to the correction of a packet if it is a Sync or a Delay_Req. */
void ordo_net_ptp_correct(struct ordo_net_packet *packet, int64_t waited_ps);

#endif
