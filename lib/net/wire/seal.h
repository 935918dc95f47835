/* Seals: HMAC-SHA-256 (RFC 2104, RFC 4231) with a key that all hosts share. No other file calls the crypto library.
 *
 * Each owner of the key can make any message, also in the name of another host. Without the key, no message can be made
 * or changed. */
#ifndef ORDO_NET_WIRE_SEAL_H
#define ORDO_NET_WIRE_SEAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ORDO_NET_KEY_BYTES = 32, ORDO_NET_SEAL_BYTES = 32 };

struct ordo_net_key {
    unsigned char bytes[ORDO_NET_KEY_BYTES];
};

/** Writes the seal of the first `count` bytes directly after them. */
void ordo_net_seal(const struct ordo_net_key *key, unsigned char *bytes, size_t count);

/** True if the seal after the first `count` bytes is right. The time does not depend on the place of a wrong byte. */
bool ordo_net_sealed(const struct ordo_net_key *key, const unsigned char *bytes, size_t count);

/** Overwrites the key in memory. */
void ordo_net_key_forget(struct ordo_net_key *key);

/** Draws a random number that cannot be guessed and is not 0. False if the system provides none. */
bool ordo_net_secret(uint64_t *number);

#endif
