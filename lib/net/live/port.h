/* A socket, keys and the counts of what was refused: sealed messages out and in. */
#ifndef ORDO_NET_LIVE_PORT_H
#define ORDO_NET_LIVE_PORT_H

#include "net/udp/socket.h"
#include "net/wire/message.h"

struct ordo_net_port {
    struct ordo_net_socket socket;
    struct ordo_net_keys keys;
    uint64_t refused[ORDO_NET_REFUSALS], accepted;
};

/** CLOCK_MONOTONIC, by which everything here is scheduled, whatever is measured with. */
int64_t ordo_net_port_now_ns(void);

/** `before_ns` as in ordo_net_socket_send. */
bool ordo_net_port_send(struct ordo_net_port *port, const struct ordo_net_address *to,
                        const struct ordo_net_message *message, int64_t *before_ns);

/** How many are taken in a row, so that whoever takes them looks at the clock and at signals also in a flood. */
enum { ORDO_NET_AT_A_TIME = 64 };

/** Takes the next datagram: 1 a message, 0 one that was refused and counted, -1 nothing is there. */
int ordo_net_port_receive(struct ordo_net_port *port, struct ordo_net_message *message,
                          struct ordo_net_arrival *arrival);

void ordo_net_port_refuse(struct ordo_net_port *port, enum ordo_net_refusal refusal);

/** A ping or pong whose departure was stamped. */
struct ordo_net_departure {
    enum ordo_net_kind kind;
    uint64_t session, number;
    int64_t left_ns;
};

/** The next of them; false: there is none. */
bool ordo_net_port_departed(struct ordo_net_port *port, struct ordo_net_departure *departure);

/** Waits until a datagram is there, a signal comes, or until `until_ns` of CLOCK_MONOTONIC. */
void ordo_net_port_wait(const struct ordo_net_port *port, int64_t until_ns);

#endif
