/* The automaton of DTP: a device with a global counter, and a local counter at each of its ports.
 *
 * K. S. Lee, H. Wang, V. Shrivastav, H. Weatherspoon, Globally synchronized time via datacenter networks, SIGCOMM 2016,
 * algorithms 1 (a port, T0 to T4) and 2 (a device, T5). Every tick of a device adds one to all of its counters. The
 * simulation therefore stores each counter less the ticks of the device, and does work only when a counter is set.
 *
 *  D1 A port measures the delay in ticks, from local counter to local counter: (round trip - alpha) / 2, rounded down.
 *     The round trip takes less than the wire both ways plus four ticks: at each end up to one tick until the next
 *     tick, and up to one in the crossing of clock domains. With alpha = 3, twice the delay is therefore at most the
 *     wire both ways, rounded up to ticks, and no round trip takes less than this. A value that returns over the wire
 *     by which it left is thus not larger than its counter is by then. In a tree, which has no other way back, no
 *     counter runs faster than the fastest oscillator. With a smaller alpha, two ports raise each other at every
 *     beacon. (For a loop of wires, each of whose delays may be half a tick too long, this argument proves nothing;
 *     simulations show that no counter runs too fast there.)
 *  D2 A beacon that comes before the delay is known is dropped: it could move the local counter by which the delay is
 *     being measured. The paper does not treat this case. */
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
    bool known;    /* the delay was measured */
};

/** T0: the link is up. Returns the value that INIT carries. */
static inline int64_t ordo_net_dtp_init(const struct ordo_net_dtp_device *device, struct ordo_net_dtp_port *port,
                                        int64_t tick)
{
    *port = (struct ordo_net_dtp_port){.local = device->global};
    return port->local + tick;
}

/** T2: INIT came back at `tick`, with `left`, the local counter when it left. */
static inline void ordo_net_dtp_measure(struct ordo_net_dtp_port *port, int alpha, int64_t tick, int64_t left)
{
    int64_t twice = port->local + tick - left - alpha;
    port->delay = (twice - (twice < 0)) / 2; /* D1: rounded down, also below zero */
    port->known = true;
}

/** T4: a beacon came at `tick`. */
static inline void ordo_net_dtp_beacon(struct ordo_net_dtp_port *port, int64_t tick, int64_t counter)
{
    if (port->known && counter + port->delay - tick > port->local) /* D2 */
        port->local = counter + port->delay - tick;
}

/** T5: true if the port's counter is ahead of the device's; the device must then take it over. */
static inline bool ordo_net_dtp_is_ahead(const struct ordo_net_dtp_port *port, const struct ordo_net_dtp_device *device)
{
    return port->local > device->global;
}

#endif
