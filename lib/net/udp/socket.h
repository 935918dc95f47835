/* A UDP socket that stamps the departure and the arrival of datagrams by one clock of this host.
 *
 * A bound needs the right order of stamps, not exact stamps:
 *   [U1] The stamp of a departure is not later than the moment at which another host can receive the datagram. This
 *        process takes its stamp before the system call. The kernel takes its stamp before the driver hands the
 *        datagram to the device (net/core/timestamping: drivers call skb_tx_timestamp before). The device takes its
 *        stamp when the datagram begins on the wire.
 *   [U2] The stamp of an arrival is not earlier than the moment at which the datagram arrived. The device stamps first,
 *        the kernel after it has got the datagram from the device, and this process after the system call.
 * So arrival stamp - departure stamp is at least the offset of the clocks (net/offset/samples.h), apart from the error
 * of the clocks' readings, which struct ordo_net_limits contains. If an arrival is stamped later, or a departure
 * earlier, the bound is only wider. */
#ifndef ORDO_NET_UDP_SOCKET_H
#define ORDO_NET_UDP_SOCKET_H

#include <stdbool.h>
#include <stdint.h>

#include "net/udp/address.h"

/** The clock that a host measures with. */
enum ordo_net_clock {
    ORDO_NET_REALTIME,  /* CLOCK_REALTIME, stamped by the kernel */
    ORDO_NET_MONOTONIC, /* CLOCK_MONOTONIC, stamped by this process */
    ORDO_NET_HARDWARE,  /* the clock of the network interface, stamped by the device */
    ORDO_NET_CLOCKS
};

enum ordo_net_stamps { ORDO_NET_BY_PROCESS, ORDO_NET_BY_KERNEL, ORDO_NET_BY_DEVICE };

/** Return the name of a clock ("realtime", "monotonic", "hardware") and of a kind of stamps ("process", "kernel",
 * "device"). NULL: there is no such clock or kind. */
const char *ordo_net_clock_name(int clock);
const char *ordo_net_stamps_name(int stamps);

struct ordo_net_socket {
    int fd;
    enum ordo_net_clock clock;
    enum ordo_net_stamps stamps;
    /* Reads the clock in place of CLOCK_MONOTONIC; NULL: none. Set it after opening a socket with that clock. */
    int64_t (*read_ns)(const void *context);
    const void *context;
};

/** Opens a socket at the address `listen`; NULL: at any port, in the address family `family` (AF_INET or AF_INET6).
 * With CLOCK_REALTIME, the kernel stamps; if it cannot, this process stamps. ORDO_E_CLOCK: the interface cannot stamp,
 * or its stamps are switched off. */
int ordo_net_socket_open(struct ordo_net_socket *socket, const struct ordo_net_address *listen, int family,
                         enum ordo_net_clock clock, struct ordo_error *error);
void ordo_net_socket_close(struct ordo_net_socket *socket);

/** Returns a reading of the clock. 0: this process cannot read the clock, and sees it only in stamps. */
int64_t ordo_net_socket_now_ns(const struct ordo_net_socket *socket);

/** Sends a datagram. If `before_ns` is not NULL, it gets a reading of the clock from just before the system call [U1],
 * and ordo_net_socket_departed later returns the stamp of the kernel or the device, if that stamps. False: the datagram
 * could not be sent now. */
bool ordo_net_socket_send(const struct ordo_net_socket *socket, const struct ordo_net_address *to,
                          const unsigned char *bytes, size_t count, int64_t *before_ns);

/** The arrival of a datagram [U2]. */
struct ordo_net_arrival {
    struct ordo_net_address from;
    size_t count;    /* length of the datagram, even if it exceeds `room` */
    int64_t came_ns; /* stamp; 0: the device did not stamp it */
    bool fine;       /* true: the stamp is of the best kind that this socket takes */
};

/** Receives the next datagram. False: there is none. */
bool ordo_net_socket_receive(const struct ordo_net_socket *socket, unsigned char *bytes, size_t room,
                             struct ordo_net_arrival *arrival);

/** Takes the next stamp of a departure. `bytes` gets the headers of the network and then the datagram, `*count` bytes
 * in all. False: there is no stamp. */
bool ordo_net_socket_departed(const struct ordo_net_socket *socket, unsigned char *bytes, size_t room, size_t *count,
                              int64_t *left_ns);

#endif
