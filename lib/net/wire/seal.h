/* Seals: HMAC-SHA-256 (RFC 2104, RFC 4231) with a key that all hosts share. The one door to the crypto library.
 *
 * Whoever has the key can make any message, also in the name of another host. Whoever has not cannot make or change one. */
#ifndef ORDO_NET_WIRE_SEAL_H
#define ORDO_NET_WIRE_SEAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ORDO_NET_KEY_BYTES = 32, ORDO_NET_SEAL_BYTES = 32 };

struct ordo_net_key {
    unsigned char bytes[ORDO_NET_KEY_BYTES];
};

/** Writes the seal of `count` bytes behind them. */
void ordo_net_seal(const struct ordo_net_key *key, unsigned char *bytes, size_t count);

/** Whether the seal behind `count` bytes is theirs; takes the same time wherever the two differ. */
bool ordo_net_sealed(const struct ordo_net_key *key, const unsigned char *bytes, size_t count);

/** Overwrites it in memory. */
void ordo_net_key_forget(struct ordo_net_key *key);

/** A number that nobody can guess, and not 0. False where the system gives none. */
bool ordo_net_secret(uint64_t *number);

#endif
