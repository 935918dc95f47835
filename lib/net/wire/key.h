/* The file that holds the shared key: 64 hexadecimal digits, and at most one newline. */
#ifndef ORDO_NET_WIRE_KEY_H
#define ORDO_NET_WIRE_KEY_H

#include "base/error.h"
#include "net/wire/seal.h"

/** Reads it. Refused is what is not a regular file of this user or of root, what others may read or change, and what is not
 * a key: ORDO_E_WRITABLE, ORDO_E_OWNER, ORDO_E_MALFORMED; ORDO_E_MISSING where there is none. */
int ordo_net_key_read(struct ordo_net_key *key, const char *path, struct ordo_error *error);

#endif
