/* The hosts that are measured: a list, or a file with one on each line. */
#ifndef ORDO_NET_PEERS_H
#define ORDO_NET_PEERS_H

#include "net/udp/address.h"

enum { PEERS_MOST = 1024 };

struct peers {
    char **name;   /* as they were written */
    uint16_t *key; /* the number of its key; 0: it has the first one */
    struct ordo_net_address *address;
    int count;
};

/** Reads "FILE" where there is such a file, and otherwise "HOST,HOST,...". In a file '#' begins a comment. A host may be told with the
 * number of the key that it has: "NUMBER@HOST". ORDO_E_INVALID: a number is none, a name is not known, comes twice, or there are fewer than two or more than PEERS_MOST. */
int peers_read(struct peers *peers, const char *text, struct ordo_error *error);
void peers_free(struct peers *peers);

#endif
