/* The keys that hosts share, by number, and the file that holds them.
 *
 * A line of the file is a number from 1 to 65535, blanks, and 64 hexadecimal digits; '#' begins a line that is a comment. A file of
 * one key alone may leave out the number, which is 1 then. Lines may end as on Windows. */
#ifndef ORDO_NET_WIRE_KEYS_H
#define ORDO_NET_WIRE_KEYS_H

#include "base/error.h"
#include "net/wire/seal.h"

enum { ORDO_NET_KEYS = 64 };

struct ordo_net_keys {
    int count;
    uint16_t number[ORDO_NET_KEYS]; /* as they stand in the file; none is 0 */
    struct ordo_net_key key[ORDO_NET_KEYS];
};

/** Which key has this number, or with 0 the first; -1: there is none. */
int ordo_net_keys_find(const struct ordo_net_keys *keys, uint16_t number);

/** Reads what a file holds; `path` is for the error. ORDO_E_MALFORMED: there is none, or too many, a line is no key, or a number
 * stands there twice; then `keys` is empty. */
int ordo_net_keys_parse(struct ordo_net_keys *keys, const char *text, size_t count, const char *path,
                        struct ordo_error *error);

/** Reads the file. Refused is what is not a regular file of this user or of root, what others may read or change, and what does not
 * hold keys: ORDO_E_WRITABLE, ORDO_E_OWNER, ORDO_E_MALFORMED; ORDO_E_MISSING where there is none. */
int ordo_net_keys_read(struct ordo_net_keys *keys, const char *path, struct ordo_error *error);

/** Overwrites them in memory. */
void ordo_net_keys_forget(struct ordo_net_keys *keys);

#endif
