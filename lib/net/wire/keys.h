/* The keys that hosts share, by number, and the file that holds them.
 *
 * A line of the file is a number from 1 to 65535, blanks, and 64 hexadecimal digits; '#' begins a comment line. A file
 * with only one key may leave out the number, which is then 1. Lines may end as on Windows. */
#ifndef ORDO_NET_WIRE_KEYS_H
#define ORDO_NET_WIRE_KEYS_H

#include "base/error.h"
#include "net/wire/seal.h"

enum { ORDO_NET_KEYS = 64 };

struct ordo_net_keys {
    int count;
    uint16_t number[ORDO_NET_KEYS]; /* as in the file; none is 0 */
    struct ordo_net_key key[ORDO_NET_KEYS];
};

/** Returns the index of the key with this number, of the first key for 0; -1: none. */
int ordo_net_keys_find(const struct ordo_net_keys *keys, uint16_t number);

/** Reads the contents of a file; `path` is for the error. ORDO_E_MALFORMED: no key, too many keys, a line that is not a
 * key, or a number twice; `keys` is then empty. */
int ordo_net_keys_parse(struct ordo_net_keys *keys, const char *text, size_t count, const char *path,
                        struct ordo_error *error);

/** Reads the file.
 * ORDO_E_MISSING: there is no file
 * ORDO_E_OWNER, ORDO_E_WRITABLE: it is not a regular file of this user or of root, or others may read or change it
 * ORDO_E_MALFORMED: it does not hold keys */
int ordo_net_keys_read(struct ordo_net_keys *keys, const char *path, struct ordo_error *error);

/** Overwrites the keys in memory. */
void ordo_net_keys_forget(struct ordo_net_keys *keys);

#endif
