/* The automaton of DTP: a device with a global counter, and a local counter at each of its ports.
 *
 * K. S. Lee, H. Wang, V. Shrivastav, H. Weatherspoon, Globally synchronized time via datacenter networks, SIGCOMM 2016, algorithms 1
 * (a port, T0 to T4) and 2 (a device, T5). All counters of a device go up by one at each of its ticks; so what is kept of one is what it
 * was at tick 0, and only what sets it costs anything.
 *
 *  D1 A port measures the delay in ticks, from local counter to local counter: (there and back - alpha) / 2, rounded down.
 *     There and back takes less than the wire both ways and four ticks more: at each end up to one until the next tick, and up to one in
 *     the crossing of clock domains. So with alpha = 3, twice the delay is at most the wire both ways, rounded up, which is the least that
 *     any way there and back takes: no value comes back along the wire by which it left larger than its counter is by then,
 *     and in a tree, where there is no other way back, none runs faster than the fastest oscillator. With a smaller alpha two ports lift
 *     each other at every beacon. (Around a loop of wires, each of whose delays may be half a tick too long, this says
 *     nothing; that no counter runs too fast there is seen, not argued.)
 *  D2 A beacon that comes before the delay is known is dropped: it could move the local counter by which the delay is being
 *     measured. The paper leaves that case open. */
#ifndef ORDO_LAB_NET_DTP_DEVICE_H
#define ORDO_LAB_NET_DTP_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

enum ordo_net_dtp_kind { ORDO_NET_DTP_INIT, ORDO_NET_DTP_INIT_ACK, ORDO_NET_DTP_BEACON };

struct ordo_net_dtp_device {
    int64_t global; /* the global counter, less the ticks of the device */
};

struct ordo_net_dtp_port {
    int64_t local; /* the local counter, less the ticks of the device */
    int64_t delay; /* to the peer, in ticks */
    bool known;    /* the delay is */
};

/** T0: the link is there. Returns what INIT carries. */
static inline int64_t ordo_net_dtp_init(const struct ordo_net_dtp_device *device, struct ordo_net_dtp_port *port,
                                        int64_t tick)
{
    *port = (struct ordo_net_dtp_port){.local = device->global};
    return port->local + tick;
}

/** T2: INIT came back at `tick`, with the local counter as it was when it left. */
static inline void ordo_net_dtp_measure(struct ordo_net_dtp_port *port, int alpha, int64_t tick, int64_t left)
{
    int64_t twice = port->local + tick - left - alpha;
    port->delay = (twice - (twice < 0)) / 2; /* D1: down, below zero as well */
    port->known = true;
}

/** T4: a beacon came at `tick`. */
static inline void ordo_net_dtp_beacon(struct ordo_net_dtp_port *port, int64_t tick, int64_t counter)
{
    if (port->known && counter + port->delay - tick > port->local) /* D2 */
        port->local = counter + port->delay - tick;
}

/** T5: whether the port's counter is ahead of the device's, and then that follows. */
static inline bool ordo_net_dtp_is_ahead(const struct ordo_net_dtp_port *port, const struct ordo_net_dtp_device *device)
{
    return port->local > device->global;
}

#endif
