#include "net/live/port.h"

#include <poll.h>
#include <time.h>

#include "base/minmax.h"
#include "net/wire/bytes.h"

int64_t ordo_net_port_now_ns(void)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

bool ordo_net_port_send(struct ordo_net_port *port, const struct ordo_net_address *to,
                        const struct ordo_net_message *message, int64_t *before_ns)
{
    unsigned char bytes[ORDO_NET_LONGEST];
    size_t count = ordo_net_encode(message, &port->keys, bytes);
    return count > 0 && ordo_net_socket_send(&port->socket, to, bytes, count, before_ns);
}

void ordo_net_port_refuse(struct ordo_net_port *port, enum ordo_net_refusal refusal)
{
    port->refused[refusal]++;
}

int ordo_net_port_receive(struct ordo_net_port *port, struct ordo_net_message *message,
                          struct ordo_net_arrival *arrival)
{
    unsigned char bytes[ORDO_NET_LONGEST];
    if (!ordo_net_socket_receive(&port->socket, bytes, sizeof bytes, arrival))
        return -1;
    enum ordo_net_refusal refusal = ordo_net_decode(message, &port->keys, bytes, arrival->count);
    if (refusal != ORDO_NET_ACCEPTED) {
        ordo_net_port_refuse(port, refusal);
        return 0;
    }
    port->accepted++;
    return 1;
}

/* The kernel returns the datagram with the headers of the network in front: the message is at the end. */
bool ordo_net_port_departed(struct ordo_net_port *port, struct ordo_net_departure *departure)
{
    unsigned char bytes[512];
    size_t count;
    while (ordo_net_socket_departed(&port->socket, bytes, sizeof bytes, &count, &departure->left_ns)) {
        if (count < ORDO_NET_PROBE_LENGTH)
            continue;
        const unsigned char *ours = bytes + count - ORDO_NET_PROBE_LENGTH;
        departure->kind = (enum ordo_net_kind)ours[5];
        departure->session = ordo_net_bytes_get(ours + 8, 8);
        departure->number = ordo_net_bytes_get(ours + 16, 8);
        return true;
    }
    return false;
}

void ordo_net_port_wait(const struct ordo_net_port *port, int64_t until_ns)
{
    int64_t left_ns = ordo_max(until_ns - ordo_net_port_now_ns(), 0);
    struct timespec left = {(time_t)(left_ns / 1000000000), (long)(left_ns % 1000000000)};
    struct pollfd one = {.fd = port->socket.fd, .events = POLLIN};
    (void)ppoll(&one, 1, &left, NULL);
}
