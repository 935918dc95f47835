/* The hosts to measure: a list, or a file with one on each line. */
#ifndef ORDO_NET_PEERS_H
#define ORDO_NET_PEERS_H

#include "net/udp/address.h"

enum { PEERS_MOST = 1024 };

struct peers {
    char **name;   /* as written */
    uint16_t *key; /* the number of the host's key; 0: the first key */
    struct ordo_net_address *address;
    int count;
};

/** Reads the file `text` if there is one, else "HOST,HOST,...". In a file '#' begins a comment. A host may be given
 * with the number of its key: "NUMBER@HOST". ORDO_E_INVALID: a number is malformed, a name is unknown or occurs twice,
 * or there are fewer than two hosts or more than PEERS_MOST. */
int peers_read(struct peers *peers, const char *text, struct ordo_error *error);
void peers_free(struct peers *peers);

#endif
