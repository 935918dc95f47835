#include "lab/net/ptp/message.h"

enum { FRAME = 42 /* Ethernet, IPv4, UDP */, TYPE_BITS = 3, NODE_BITS = 14, PORT_BITS = 13, SEQUENCE_BITS = 16 };

/* The words of a packet. */
enum { HEAD, TIME, CORRECTION };

int ordo_net_ptp_bytes(enum ordo_net_ptp_type type)
{
    static const int bytes[] = {[ORDO_NET_PTP_ANNOUNCE] = 64,    [ORDO_NET_PTP_SYNC] = 44,
                                [ORDO_NET_PTP_FOLLOW_UP] = 44,   [ORDO_NET_PTP_DELAY_REQ] = 44,
                                [ORDO_NET_PTP_DELAY_RESP] = 54,  [ORDO_NET_PTP_PDELAY_REQ] = 54,
                                [ORDO_NET_PTP_PDELAY_RESP] = 54, [ORDO_NET_PTP_PDELAY_RESP_FOLLOW_UP] = 54};
    return FRAME + bytes[type];
}

static void put_bits(uint64_t *word, uint64_t value, int bits)
{
    *word = *word << bits | (value & ((UINT64_C(1) << bits) - 1));
}

static int take_bits(uint64_t *word, int bits)
{
    int value = (int)(*word & ((UINT64_C(1) << bits) - 1));
    *word >>= bits;
    return value;
}

static struct ordo_net_packet pack(enum ordo_net_ptp_type type, uint64_t head, int64_t time, int64_t correction)
{
    struct ordo_net_packet packet = {.to = ORDO_NET_ALL, .bytes = ordo_net_ptp_bytes(type)};
    put_bits(&head, type, TYPE_BITS);
    packet.words[HEAD] = (int64_t)head;
    packet.words[TIME] = time;
    packet.words[CORRECTION] = correction;
    return packet;
}

struct ordo_net_packet ordo_net_ptp_pack(const struct ordo_net_ptp_message *message)
{
    uint64_t head = 0;
    put_bits(&head, (uint64_t)message->sender.node, NODE_BITS);
    put_bits(&head, (uint64_t)message->sender.port, PORT_BITS);
    put_bits(&head, (uint64_t)message->requester, NODE_BITS);
    put_bits(&head, message->sequence, SEQUENCE_BITS);
    return pack(message->type, head, message->time_ps, message->correction_ps);
}

struct ordo_net_ptp_message ordo_net_ptp_unpack(const struct ordo_net_packet *packet)
{
    uint64_t head = (uint64_t)packet->words[HEAD];
    struct ordo_net_ptp_message message = {.time_ps = packet->words[TIME], .correction_ps = packet->words[CORRECTION]};
    message.type = (enum ordo_net_ptp_type)take_bits(&head, TYPE_BITS);
    message.sequence = (uint16_t)take_bits(&head, SEQUENCE_BITS);
    message.requester = take_bits(&head, NODE_BITS);
    message.sender.port = take_bits(&head, PORT_BITS);
    message.sender.node = take_bits(&head, NODE_BITS);
    return message;
}

struct ordo_net_packet ordo_net_ptp_pack_announce(const struct ordo_net_ptp_dataset *dataset)
{
    uint64_t head = 0, quality = 0, steps = 0;
    put_bits(&head, (uint64_t)dataset->sender.node, NODE_BITS);
    put_bits(&head, (uint64_t)dataset->sender.port, PORT_BITS);
    put_bits(&quality, dataset->priority1, 8);
    put_bits(&quality, dataset->clock_class, 8);
    put_bits(&quality, dataset->accuracy, 8);
    put_bits(&quality, dataset->variance, 16);
    put_bits(&quality, dataset->priority2, 8);
    put_bits(&steps, (uint64_t)dataset->identity, NODE_BITS);
    put_bits(&steps, (uint64_t)dataset->steps, 16);
    return pack(ORDO_NET_PTP_ANNOUNCE, head, (int64_t)quality, (int64_t)steps);
}

struct ordo_net_ptp_dataset ordo_net_ptp_unpack_announce(const struct ordo_net_packet *packet)
{
    uint64_t head = (uint64_t)packet->words[HEAD] >> TYPE_BITS, quality = (uint64_t)packet->words[TIME];
    uint64_t steps = (uint64_t)packet->words[CORRECTION];
    struct ordo_net_ptp_dataset dataset = {.sender.node = -1};
    dataset.sender.port = take_bits(&head, PORT_BITS);
    dataset.sender.node = take_bits(&head, NODE_BITS);
    dataset.priority2 = (uint8_t)take_bits(&quality, 8);
    dataset.variance = (uint16_t)take_bits(&quality, 16);
    dataset.accuracy = (uint8_t)take_bits(&quality, 8);
    dataset.clock_class = (uint8_t)take_bits(&quality, 8);
    dataset.priority1 = (uint8_t)take_bits(&quality, 8);
    dataset.steps = take_bits(&steps, 16);
    dataset.identity = take_bits(&steps, NODE_BITS);
    return dataset;
}

void ordo_net_ptp_correct(struct ordo_net_packet *packet, int64_t waited_ps)
{
    uint64_t head = (uint64_t)packet->words[HEAD];
    int type = take_bits(&head, TYPE_BITS);
    if (type == ORDO_NET_PTP_SYNC || type == ORDO_NET_PTP_DELAY_REQ)
        packet->words[CORRECTION] += waited_ps;
}
