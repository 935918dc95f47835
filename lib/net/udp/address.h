/* Addresses of hosts, as text: "192.0.2.7", "192.0.2.7:21075", "[2001:db8::7]:21075", "a.example:21075". */
#ifndef ORDO_NET_UDP_ADDRESS_H
#define ORDO_NET_UDP_ADDRESS_H

#include <netinet/in.h>
#include <stdbool.h>

#include "base/error.h"
#include "net/wire/message.h"

enum { ORDO_NET_PORT = 21075, ORDO_NET_ADDRESS_TEXT = 64 };

struct ordo_net_address {
    union {
        struct sockaddr any;
        struct sockaddr_in ip4;
        struct sockaddr_in6 ip6;
    } socket;
    socklen_t bytes;
    bool answers; /* true: a datagram came from this address to `here`, so answers to it must leave from `here` */
    struct in6_addr here; /* an address of this host; an IPv4 address is mapped into IPv6 */
};

/** Reads an address, or looks a name up. Without a port in the text, the port is ORDO_NET_PORT. ORDO_E_INVALID: the
 * text is not an address, or the name is unknown. */
int ordo_net_address_find(struct ordo_net_address *address, const char *text, struct ordo_error *error);

/** As ordo_net_address_find, for "NUMBER@HOST": `key` gets the number of the host's key, or 0 if the text has none.
 * ORDO_E_INVALID also if the number is not from 1 to 65535. */
int ordo_net_address_find_keyed(struct ordo_net_address *address, uint16_t *key, const char *text,
                                struct ordo_error *error);

/** Writes the address as text, with the port. */
void ordo_net_address_print(const struct ordo_net_address *address, char text[ORDO_NET_ADDRESS_TEXT]);

/** Convert an address to the form that an order has, and back. An IPv4 address that is mapped into IPv6 becomes an IPv4
 * address. */
void ordo_net_address_give(const struct ordo_net_address *address, struct ordo_net_order *order);
void ordo_net_address_take(struct ordo_net_address *address, const struct ordo_net_order *order);

/** True if both addresses are the same, with the same port. An IPv4 address equals the same address mapped into
 * IPv6. */
bool ordo_net_address_same(const struct ordo_net_address *a, const struct ordo_net_address *b);

#endif
