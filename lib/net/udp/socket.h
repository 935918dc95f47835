/* A UDP socket that says when datagrams left and came, by one clock of this host.
 *
 * What a bound needs of stamps is their order, not that they are exact:
 *   [U1] The stamp of a datagram that was sent is not later than the moment at which another host can receive it. A stamp of this
 *        process is taken before the system call. The kernel's is taken before it hands the datagram to the device (net/core/
 *        timestamping: drivers call skb_tx_timestamp before they do), the device's own when the datagram begins on the wire.
 *   [U2] The stamp of a datagram that came is not earlier than the moment at which it came: the device's, the kernel's (when the
 *        device has handed it over) and this process's (after the system call) are ever later.
 *   So the difference of the two is at least the offset of the clocks, as in net/offset/samples.h, but for the error of the
 *   clocks' readings themselves, which ordo_net_limits holds. A stamp that was taken later or earlier only widens. */
#ifndef ORDO_NET_UDP_SOCKET_H
#define ORDO_NET_UDP_SOCKET_H

#include <stdbool.h>
#include <stdint.h>

#include "net/udp/address.h"

/** What a host measures with. */
enum ordo_net_clock {
    ORDO_NET_REALTIME,  /* CLOCK_REALTIME, which the kernel stamps with */
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

/** Opens it at `listen` (NULL: any port, of the family of `family`, AF_INET or AF_INET6). CLOCK_REALTIME is stamped by the kernel,
 * or where it cannot by this process. ORDO_E_CLOCK: the interface stamps nothing by itself, or is not told to. */
int ordo_net_socket_open(struct ordo_net_socket *socket, const struct ordo_net_address *listen, int family,
                         enum ordo_net_clock clock, struct ordo_error *error);
void ordo_net_socket_close(struct ordo_net_socket *socket);

/** The clock, now; 0 where only stamps tell it. */
int64_t ordo_net_socket_now_ns(const struct ordo_net_socket *socket);

/** Sends. With `before_ns`, which gets the clock's reading from just before [U1], a stamp that is nearer to the wire comes later
 * by ordo_net_socket_departed. False: it could not be sent now. */
bool ordo_net_socket_send(const struct ordo_net_socket *socket, const struct ordo_net_address *to,
                          const unsigned char *bytes, size_t count, int64_t *before_ns);

/** A datagram that came [U2]. */
struct ordo_net_arrival {
    struct ordo_net_address from;
    size_t count;    /* its length, also where that is more than `room` */
    int64_t came_ns; /* 0: the device did not stamp it */
    bool fine;       /* by what stamps best here */
};

/** Takes the next one, if there is any. */
bool ordo_net_socket_receive(const struct ordo_net_socket *socket, unsigned char *bytes, size_t room,
                             struct ordo_net_arrival *arrival);

/** Takes the next stamp of a datagram that left: its end is in `bytes`, `count` of them behind what the network put before. */
bool ordo_net_socket_departed(const struct ordo_net_socket *socket, unsigned char *bytes, size_t room, size_t *count,
                              int64_t *left_ns);

#endif
