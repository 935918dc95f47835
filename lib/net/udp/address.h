/* Addresses of hosts: "192.0.2.7", "192.0.2.7:21075", "[2001:db8::7]:21075", "a.example:21075". */
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
    bool answers; /* a datagram came from it to `here`, one of this host's addresses, from which the answer leaves */
    struct in6_addr here; /* an IPv4 address is mapped */
};

/** Reads an address, and looks a name up. The port is ORDO_NET_PORT if none is given. ORDO_E_INVALID: not an address,
 * or an unknown name. */
int ordo_net_address_find(struct ordo_net_address *address, const char *text, struct ordo_error *error);

/** Writes the address as text, with the port. */
void ordo_net_address_print(const struct ordo_net_address *address, char text[ORDO_NET_ADDRESS_TEXT]);

/** Converts an address to the form of an order, and back. An IPv4 address that is mapped into IPv6 is one of IPv4. */
void ordo_net_address_give(const struct ordo_net_address *address, struct ordo_net_order *order);
void ordo_net_address_take(struct ordo_net_address *address, const struct ordo_net_order *order);

/** True if both name the same port of the same host. An IPv4 address and the same one mapped into IPv6 are one. */
bool ordo_net_address_same(const struct ordo_net_address *a, const struct ordo_net_address *b);

#endif
