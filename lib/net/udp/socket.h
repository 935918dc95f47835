/* A UDP socket that stamps the departure and the arrival of datagrams by one clock of this host.
 *
 * A bound needs the right order of stamps, not exact stamps:
 *   [U1] The stamp of a departure is not later than the moment at which another host can receive the datagram. A stamp
 *        of this process is taken before the system call. The kernel's is taken before it hands the datagram to the
 *        device (net/core/timestamping: drivers call skb_tx_timestamp before they do), the device's own when the
 *        datagram begins on the wire.
 *   [U2] The stamp of an arrival is not earlier than the moment at which the datagram came: the device's, the kernel's
 *        (after the device has handed it over) and this process's (after the system call) are each later than the one
 *        before.
 * So the difference of the two is at least the offset of the clocks, as in net/offset/samples.h, but for the error of
 * the clocks' readings themselves, which ordo_net_limits holds. An arrival stamp that is taken later, or a departure
 * stamp that is taken earlier, only widens the bound. */
#ifndef ORDO_NET_UDP_SOCKET_H
#define ORDO_NET_UDP_SOCKET_H

#include <stdbool.h>
#include <stdint.h>

#include "net/udp/address.h"

/** The clock that a host measures with. */
enum ordo_net_clock {
    ORDO_NET_REALTIME,  /* CLOCK_REALTIME, stamped by the kernel */
    ORDO_NET_MONOTONIC, /* CLOCK_MONOTONIC, stamped by this process */
    ORDO_NET_HARDWARE,  /* that of the network interface */
    ORDO_NET_CLOCKS
};

enum ordo_net_stamps { ORDO_NET_BY_PROCESS, ORDO_NET_BY_KERNEL, ORDO_NET_BY_DEVICE };

/** "realtime", "monotonic", "hardware"; "process", "kernel", "device"; NULL: there is none. */
const char *ordo_net_clock_name(int clock);
const char *ordo_net_stamps_name(int stamps);

struct ordo_net_socket {
    int fd;
    enum ordo_net_clock clock;
    enum ordo_net_stamps stamps;
};

/** Opens a socket at `listen` (NULL: any port, of the family of `family`, AF_INET or AF_INET6). The kernel stamps
 * CLOCK_REALTIME; if it cannot, this process does. ORDO_E_CLOCK: the interface has no stamps of its own, or they are
 * switched off. */
int ordo_net_socket_open(struct ordo_net_socket *socket, const struct ordo_net_address *listen, int family,
                         enum ordo_net_clock clock, struct ordo_error *error);
void ordo_net_socket_close(struct ordo_net_socket *socket);

/** Reads the clock; 0 if only stamps show it. */
int64_t ordo_net_socket_now_ns(const struct ordo_net_socket *socket);

/** Sends a datagram. `before_ns`, if not NULL, gets a reading of the clock from just before [U1], and
 * ordo_net_socket_departed later returns a stamp nearer to the wire. False: it could not be sent now. */
bool ordo_net_socket_send(const struct ordo_net_socket *socket, const struct ordo_net_address *to,
                          const unsigned char *bytes, size_t count, int64_t *before_ns);

/** A datagram that came [U2]. */
struct ordo_net_arrival {
    struct ordo_net_address from;
    size_t count;    /* its length, even if it exceeds `room` */
    int64_t came_ns; /* 0: the device did not stamp it */
    bool fine;       /* the stamp is of the best kind here */
};

/** Takes the next arrival. False: none. */
bool ordo_net_socket_receive(const struct ordo_net_socket *socket, unsigned char *bytes, size_t room,
                             struct ordo_net_arrival *arrival);

/** Takes the next stamp of a departure. `bytes` holds the datagram behind the headers of the network, `count` bytes in
 * all. */
bool ordo_net_socket_departed(const struct ordo_net_socket *socket, unsigned char *bytes, size_t room, size_t *count,
                              int64_t *left_ns);

#endif
