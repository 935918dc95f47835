/* The hosts to measure, from a list on the command line or from a file. */
#ifndef ORDO_NET_PEERS_H
#define ORDO_NET_PEERS_H

#include "net/udp/address.h"

enum { PEERS_MOST = 1024 };

struct peers {
    char **name;   /* name of each host, as it was written */
    uint16_t *key; /* number of each host's key; 0: the first key */
    struct ordo_net_address *address;
    int count;
};

/** Reads the hosts from the file `text` if there is such a file, else from `text` itself: "HOST,HOST,...". In a file,
 * '#' begins a comment. "NUMBER@HOST" gives the number of the host's key. ORDO_E_INVALID: a number is malformed, a name
 * is unknown or occurs twice, or there are fewer than 2 or more than PEERS_MOST hosts. */
int peers_read(struct peers *peers, const char *text, struct ordo_error *error);
void peers_free(struct peers *peers);

#endif
