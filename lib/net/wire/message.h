/* The messages between hosts, and their layout in a datagram.
 *
 * There are six kinds of questions. A host refuses kinds that it does not know, and so does not answer questions of a
 * newer program. An answer is exactly as long as its question, so that no sender can use a host to
 * multiply its traffic. All messages of a kind have the same length. A datagram is
 *
 *    0   4  "ORDN"
 *    4   1  version, 2
 *    5   1  kind
 *    6   2  number of the key that seals it; an answer has the key of its question
 *    8   8  session: in hello and welcome, the asker's random name; in all others, the session that the welcome granted
 *    16  8  number of the question within its session; an answer repeats it
 *    24  .  the fields of the kind; unused bytes are 0
 *    -32 32 seal: HMAC-SHA-256 of all bytes before it
 *
 * Numbers are big-endian; times are nanoseconds of the clock that a host measures with. */
#ifndef ORDO_NET_WIRE_MESSAGE_H
#define ORDO_NET_WIRE_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

#include "net/wire/claim.h"
#include "net/wire/keys.h"
#include "net/wire/refusal.h"

/** The kinds of messages. Questions are odd; the answer to question n is n + 1. */
enum ordo_net_kind {
    ORDO_NET_HELLO = 1, /* asks for a session and for a reading of the host's clock */
    ORDO_NET_WELCOME,   /* grants a session, and has a reading of the clock */
    ORDO_NET_PING,      /* probes the host */
    ORDO_NET_PONG,      /* answers a probe */
    ORDO_NET_ORDER,     /* orders the host to probe another host, along an edge */
    ORDO_NET_ORDERED,
    ORDO_NET_COLLECT, /* asks for pairs of an edge */
    ORDO_NET_HARVEST,
    ORDO_NET_COUNT, /* asks for the counts of refusals */
    ORDO_NET_TALLY,
    ORDO_NET_CLAIMS, /* asks for the claims about UTC that programs of the host make */
    ORDO_NET_CLAIMED,
    ORDO_NET_KINDS
};

enum {
    ORDO_NET_HEAD = 24,
    ORDO_NET_PROBE_LENGTH = ORDO_NET_HEAD + 32 + ORDO_NET_SEAL_BYTES, /* length of hello, welcome, ping, pong */
    ORDO_NET_MOST_PAIRS = 16,                                         /* largest number of pairs in a harvest */
    ORDO_NET_PAIR_BYTES = 72,
    ORDO_NET_LONGEST = ORDO_NET_HEAD + 16 + ORDO_NET_MOST_PAIRS * ORDO_NET_PAIR_BYTES + ORDO_NET_SEAL_BYTES,
    ORDO_NET_MOST_COUNTS = 16
};

/** The stamps of a ping and its pong, by both hosts, in ns. `flags` says which of them are known. */
struct ordo_net_exchange {
    int64_t sent_ns, received_ns, returned_ns, back_ns; /* by the clocks of a, b, b, a */
    unsigned flags;
};

enum ordo_net_exchange_flag {
    ORDO_NET_THERE = 1,      /* sent_ns and received_ns are known */
    ORDO_NET_BACK = 2,       /* returned_ns and back_ns are known */
    ORDO_NET_THERE_FINE = 4, /* sent_ns and received_ns are the best stamps that these hosts can take */
    ORDO_NET_BACK_FINE = 8,
    ORDO_NET_FLAGS = 15
};

/** A coded probe: two exchanges; the second ping is sent right after the first. */
struct ordo_net_pair {
    struct ordo_net_exchange of[2];
};

/** An order to probe the host at an address for `lease_s` seconds. */
struct ordo_net_order {
    uint32_t edge, every_us, lease_s, spacing_ns;
    uint8_t family; /* 4 or 6 */
    uint16_t port;
    unsigned char address[16];
    uint16_t key; /* number of the key to probe with */
    uint8_t done; /* only in the answer: enum ordo_net_done */
};

/** The results of an order: the host has no slot for another edge; the host does as ordered; the host has no key with
 * this number. */
enum ordo_net_done { ORDO_NET_NO_PLACE, ORDO_NET_DONE, ORDO_NET_NO_KEY };

struct ordo_net_message {
    enum ordo_net_kind kind;
    uint16_t key; /* number of the key that seals it; 0, only for sending: the first key */
    uint64_t session, number;
    union {
        struct {
            uint64_t session; /* the granted session */
            int64_t now_ns;
            uint8_t clock, stamps; /* enum ordo_net_clock, enum ordo_net_stamps */
        } welcome;
        uint64_t
            about; /* in a ping: number of an earlier ping; the pong is to have the departure of that ping's pong */
        struct {
            int64_t received_ns, returned_ns, about_ns; /* 0: unknown */
            uint8_t fine;                               /* 1: received_ns is the best stamp that this host can take */
        } pong;
        struct ordo_net_order order;
        struct {
            uint32_t edge;
            uint16_t count;
            uint64_t
                first; /* number of the first pair: in a question, the requested one; in an answer, that of pair[0] */
            struct ordo_net_pair pair[ORDO_NET_MOST_PAIRS];
        } harvest;
        uint64_t count[ORDO_NET_MOST_COUNTS]; /* in a tally: number of refusals by reason, then of accepted messages */
        struct {
            uint16_t first, count, total; /* number of the first claim; number of claims in this answer, and in all */
            struct ordo_net_claim claim[ORDO_NET_MOST_CLAIMS];
        } claims;
    };
};

/** Returns the length of a datagram of this kind. */
size_t ordo_net_length(enum ordo_net_kind kind);

/** Writes the message into `bytes`, which must have room for ORDO_NET_LONGEST bytes, and seals it. Returns its length.
 * 0: there is no such key. */
size_t ordo_net_encode(const struct ordo_net_message *message, const struct ordo_net_keys *keys, unsigned char *bytes);

/** Reads a datagram. Until the seal is verified, reads only the head. Returns ORDO_NET_ACCEPTED, or the reason of the
 * refusal. */
enum ordo_net_refusal ordo_net_decode(struct ordo_net_message *message, const struct ordo_net_keys *keys,
                                      const unsigned char *bytes, size_t count);

static inline int ordo_net_is_question(enum ordo_net_kind kind)
{
    return kind % 2;
}

#endif
