/* A claim about UTC, as a host passes it on: "UTC minus my clock is in [low, high] when my clock shows reading_ns". The
 * clock is the one that the host measures with.
 *
 * In a message, a claim has 224 bytes: the name of its source (16), the state (1), a code (1), unused (6), reading_ns, low,
 * high, age_ns (8 each), and a text (168). Names and texts end with a byte that is 0. */
#ifndef ORDO_NET_WIRE_CLAIM_H
#define ORDO_NET_WIRE_CLAIM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/interval.h"

enum {
    ORDO_NET_CLAIM_NAME = 16,
    ORDO_NET_CLAIM_TEXT = 168,
    ORDO_NET_CLAIM_BYTES = ORDO_NET_CLAIM_NAME + 8 + 4 * 8 + ORDO_NET_CLAIM_TEXT,
    ORDO_NET_CLAIM_CODES = 64,      /* a code is above -ORDO_NET_CLAIM_CODES */
    ORDO_NET_MOST_CLAIMS = 5,       /* largest number of claims in a message */
    ORDO_NET_MOST_HOST_CLAIMS = 15, /* largest number of claims of a host */
    ORDO_NET_CLAIM_STATES = 4
};

struct ordo_net_claim {
    char source[ORDO_NET_CLAIM_NAME]; /* lower-case letters, digits and '-' */
    uint8_t state;                    /* enum ordo_source_state */
    int8_t code;                      /* 0: reading_ns and utc_ns are valid; else the ordo_code why there is no claim */
    int64_t reading_ns;
    struct ordo_interval utc_ns;    /* UTC minus the host's clock */
    int64_t age_ns;                 /* time since the source renewed its claim; -1: unknown */
    char text[ORDO_NET_CLAIM_TEXT]; /* evidence, or the reason why there is no claim; printable ASCII */
};

/** True if the name consists of lower-case letters, digits and '-', and is neither empty nor too long. */
bool ordo_net_claim_named(const char *name);

/** Makes a text printable: replaces each byte that is not printable ASCII by '?', and cuts it. */
void ordo_net_claim_write(char text[ORDO_NET_CLAIM_TEXT], const char *from);

#endif
