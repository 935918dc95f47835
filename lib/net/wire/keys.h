/* The keys that hosts share, each with a number, and the file that contains them.
 *
 * A line of the file is a number from 1 to 65535, blanks, and 64 hexadecimal digits; '#' begins a comment line. In a
 * file with only one key, the number may be left out, and is then 1. Lines may end as on Windows. */
#ifndef ORDO_NET_WIRE_KEYS_H
#define ORDO_NET_WIRE_KEYS_H

#include "base/error.h"
#include "net/wire/seal.h"

enum { ORDO_NET_KEYS = 64 };

struct ordo_net_keys {
    int count;
    uint16_t number[ORDO_NET_KEYS]; /* number of each key; never 0 */
    struct ordo_net_key key[ORDO_NET_KEYS];
};

/** Returns the index of the key with this number. 0 means the first key. -1: there is no such key. */
int ordo_net_keys_find(const struct ordo_net_keys *keys, uint16_t number);

/** Reads keys from the contents of a file. `path` is for the text of the error. ORDO_E_MALFORMED: there is no key, or
 * there are too many, a line is not a key, or a number occurs twice; `keys` is then empty. */
int ordo_net_keys_parse(struct ordo_net_keys *keys, const char *text, size_t count, const char *path,
                        struct ordo_error *error);

/** Reads the file.
 * ORDO_E_MISSING: there is no file
 * ORDO_E_OWNER, ORDO_E_WRITABLE: it is not a regular file of this user or of root, or others may read or change it
 * ORDO_E_MALFORMED: as ordo_net_keys_parse */
int ordo_net_keys_read(struct ordo_net_keys *keys, const char *path, struct ordo_error *error);

/** Overwrites the keys in memory. */
void ordo_net_keys_forget(struct ordo_net_keys *keys);

#endif
