/* Checks that a network interface stamps datagrams by a clock of its own. */
#ifndef ORDO_NET_UDP_DEVICE_H
#define ORDO_NET_UDP_DEVICE_H

#include "net/udp/address.h"

/** Returns 0, or ORDO_E_CLOCK; the text says what the interface of this address lacks. Does not switch stamps on: this
 * needs a privilege, and is left to the operator. */
int ordo_net_device_check(int fd, const struct ordo_net_address *listen, struct ordo_error *error);

#endif
