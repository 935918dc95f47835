/* A socket, keys and the counts of refusals: sends and receives sealed messages. */
#ifndef ORDO_NET_LIVE_PORT_H
#define ORDO_NET_LIVE_PORT_H

#include "net/udp/socket.h"
#include "net/wire/message.h"

struct ordo_net_port {
    struct ordo_net_socket socket;
    struct ordo_net_keys keys;
    uint64_t refused[ORDO_NET_REFUSALS], accepted;
};

/** Returns CLOCK_MONOTONIC, which schedules everything here, whichever clock is measured. */
int64_t ordo_net_port_now_ns(void);

/** Sends a message. `before_ns` as in ordo_net_socket_send. */
bool ordo_net_port_send(struct ordo_net_port *port, const struct ordo_net_address *to,
                        const struct ordo_net_message *message, int64_t *before_ns);

/** The most datagrams to take in a row, so that the caller checks the clock and signals also in a flood. */
enum { ORDO_NET_AT_A_TIME = 64 };

/** Takes the next datagram.
 * 1: a message
 * 0: refused and counted
 * -1: none is there */
int ordo_net_port_receive(struct ordo_net_port *port, struct ordo_net_message *message,
                          struct ordo_net_arrival *arrival);

void ordo_net_port_refuse(struct ordo_net_port *port, enum ordo_net_refusal refusal);

/** A ping or pong whose departure was stamped. */
struct ordo_net_departure {
    enum ordo_net_kind kind;
    uint64_t session, number;
    int64_t left_ns;
};

/** Takes the next of them. False: none. */
bool ordo_net_port_departed(struct ordo_net_port *port, struct ordo_net_departure *departure);

/** Waits until a datagram is there, a signal comes, or until `until_ns` of CLOCK_MONOTONIC. */
void ordo_net_port_wait(const struct ordo_net_port *port, int64_t until_ns);

#endif
