/* Sends and receives sealed messages: a socket, the keys, and the counts of refused datagrams. */
#ifndef ORDO_NET_LIVE_PORT_H
#define ORDO_NET_LIVE_PORT_H

#include "net/udp/socket.h"
#include "net/wire/message.h"

struct ordo_net_port {
    struct ordo_net_socket socket;
    struct ordo_net_keys keys;
    uint64_t refused[ORDO_NET_REFUSALS], accepted;
};

/** Returns CLOCK_MONOTONIC. All waits and timeouts of net/live use it, whichever clock is measured. */
int64_t ordo_net_port_now_ns(void);

/** Sends a message. False if it could not be sent. `before_ns`: see ordo_net_socket_send. */
bool ordo_net_port_send(struct ordo_net_port *port, const struct ordo_net_address *to,
                        const struct ordo_net_message *message, int64_t *before_ns);

/** Largest number of datagrams to receive in a row, so that the caller checks the time and signals even in a flood. */
enum { ORDO_NET_AT_A_TIME = 64 };

/** Receives the next datagram, if there is one.
 * 1: `message` is filled in
 * 0: the datagram was refused and counted
 * -1: there is no datagram */
int ordo_net_port_receive(struct ordo_net_port *port, struct ordo_net_message *message,
                          struct ordo_net_arrival *arrival);

void ordo_net_port_refuse(struct ordo_net_port *port, enum ordo_net_refusal refusal);

/** The stamp of the departure of a ping or a pong. */
struct ordo_net_departure {
    enum ordo_net_kind kind;
    uint64_t session, number;
    int64_t left_ns;
};

/** Takes the next stamp of a departure. False: there is none. */
bool ordo_net_port_departed(struct ordo_net_port *port, struct ordo_net_departure *departure);

/** Waits until a datagram has arrived, a signal comes, or CLOCK_MONOTONIC reaches `until_ns`. */
void ordo_net_port_wait(const struct ordo_net_port *port, int64_t until_ns);

#endif
