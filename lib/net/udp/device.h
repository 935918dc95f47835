/* Checks that a network interface stamps datagrams by its own clock. */
#ifndef ORDO_NET_UDP_DEVICE_H
#define ORDO_NET_UDP_DEVICE_H

#include "net/udp/address.h"

/** Checks the interface that has the address `listen`. Does not switch its stamps on, because this needs a privilege.
 * 0: the interface stamps arrivals and departures
 * ORDO_E_CLOCK: it does not; the text gives the reason */
int ordo_net_device_check(int fd, const struct ordo_net_address *listen, struct ordo_error *error);

#endif
