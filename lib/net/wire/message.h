/* The messages between hosts, and their layout in a datagram.
 *
 * There are five questions. The answer to each is exactly as long as the question, so that no sender can use a host to
 * multiply its traffic. Every kind has one length. A datagram is
 *
 *    0   4  "ORDN"
 *    4   1  version, 2
 *    5   1  kind
 *    6   2  number of the key that seals it; an answer is sealed with the key of its question
 *    8   8  session: a number that the asker has drawn (hello, welcome), or that the welcome granted (all others)
 *    16  8  number of the question within its session; an answer repeats it
 *    24  .  the fields of the kind; unused bytes are 0
 *    -32 32 seal: HMAC-SHA-256 of all before it
 *
 * Numbers are big-endian; times are nanoseconds of the clock that a host measures with. */
#ifndef ORDO_NET_WIRE_MESSAGE_H
#define ORDO_NET_WIRE_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

#include "net/wire/keys.h"
#include "net/wire/refusal.h"

/** Questions are odd, and the answer to each is the next number. */
enum ordo_net_kind {
    ORDO_NET_HELLO = 1, /* may I ask? */
    ORDO_NET_WELCOME,   /* in this session, and this is my clock */
    ORDO_NET_PING,      /* a probe, */
    ORDO_NET_PONG,      /* and its answer */
    ORDO_NET_ORDER,     /* probe that host */
    ORDO_NET_ORDERED,
    ORDO_NET_COLLECT, /* what has the edge seen? */
    ORDO_NET_HARVEST,
    ORDO_NET_COUNT, /* what have you refused? */
    ORDO_NET_TALLY,
    ORDO_NET_KINDS
};

enum {
    ORDO_NET_HEAD = 24,
    ORDO_NET_PROBE_LENGTH = ORDO_NET_HEAD + 32 + ORDO_NET_SEAL_BYTES, /* of hello, welcome, ping, pong */
    ORDO_NET_MOST_PAIRS = 16,                                         /* in a harvest */
    ORDO_NET_PAIR_BYTES = 72,
    ORDO_NET_LONGEST = ORDO_NET_HEAD + 16 + ORDO_NET_MOST_PAIRS * ORDO_NET_PAIR_BYTES + ORDO_NET_SEAL_BYTES,
    ORDO_NET_MOST_COUNTS = 16
};

/** A ping and its pong: the stamps of both hosts, in ns. `flags` says which of them are known. */
struct ordo_net_exchange {
    int64_t sent_ns, received_ns, returned_ns, back_ns; /* the clocks of a, b, b, a */
    unsigned flags;
};

enum ordo_net_exchange_flag {
    ORDO_NET_THERE = 1,      /* sent_ns and received_ns are known */
    ORDO_NET_BACK = 2,       /* returned_ns and back_ns are known */
    ORDO_NET_THERE_FINE = 4, /* and were stamped as near to the wire as these hosts can */
    ORDO_NET_BACK_FINE = 8,
    ORDO_NET_FLAGS = 15
};

/** A coded probe: two exchanges, one sent right after the other. */
struct ordo_net_pair {
    struct ordo_net_exchange of[2];
};

/** An order for an edge: probe the host at an address for a while. */
struct ordo_net_order {
    uint32_t edge, every_us, lease_s, spacing_ns;
    uint8_t family; /* 4 or 6 */
    uint16_t port;
    unsigned char address[16];
    uint16_t key; /* the key to probe with */
    uint8_t done; /* in the answer: enum ordo_net_done */
};

/** The result of an order: the host has no place for another edge, it probes, or it has no key of this number. */
enum ordo_net_done { ORDO_NET_NO_PLACE, ORDO_NET_DONE, ORDO_NET_NO_KEY };

struct ordo_net_message {
    enum ordo_net_kind kind;
    uint16_t key; /* the number of the key that seals it; 0: the first key, for sending */
    uint64_t session, number;
    union {
        struct {
            uint64_t session; /* the granted session */
            int64_t now_ns;
            uint8_t clock, stamps; /* enum ordo_net_clock, enum ordo_net_stamps */
        } welcome;
        uint64_t about; /* ping: the number of an earlier one; asks for the true departure of its answer */
        struct {
            int64_t received_ns, returned_ns, about_ns; /* 0: unknown */
            uint8_t fine;                               /* the stamp received_ns is the best that this host can take */
        } pong;
        struct ordo_net_order order;
        struct {
            uint32_t edge;
            uint16_t count;
            uint64_t first; /* number of the first pair: requested, or contained */
            struct ordo_net_pair pair[ORDO_NET_MOST_PAIRS];
        } harvest;
        uint64_t count[ORDO_NET_MOST_COUNTS]; /* tally: refusals by reason, then the number of accepted messages */
    };
};

/** Returns the length of a kind's datagram. */
size_t ordo_net_length(enum ordo_net_kind kind);

/** Writes and seals the message into `bytes`, which must have room for ORDO_NET_LONGEST. Returns its length, or 0: no
 * such key. */
size_t ordo_net_encode(const struct ordo_net_message *message, const struct ordo_net_keys *keys, unsigned char *bytes);

/** Reads a datagram. Returns ORDO_NET_ACCEPTED, or the reason of the refusal. Reads only its head before the seal is
 * found right. */
enum ordo_net_refusal ordo_net_decode(struct ordo_net_message *message, const struct ordo_net_keys *keys,
                                      const unsigned char *bytes, size_t count);

static inline int ordo_net_is_question(enum ordo_net_kind kind)
{
    return kind % 2;
}

#endif
