/* The automaton of DTP: a device with a global counter, and a local counter at each of its ports.
 *
 * K. S. Lee, H. Wang, V. Shrivastav, H. Weatherspoon, Globally synchronized time via datacenter networks, SIGCOMM 2016,
 * algorithms 1 (a port, T0 to T4) and 2 (a device, T5). Every tick of a device adds one to all of its counters. The
 * simulation therefore stores each counter less the ticks of the device, and does work only when a counter is set.
 *
 *  D1 A port measures the delay in ticks, from local counter to local counter: (round trip - alpha) / 2, rounded down.
 *     Let w be the time of the wire in both directions, rounded up to ticks. A round trip takes from w to w + 3 ticks:
 *     at each end up to one tick until the next tick, and up to one tick in the crossing of clock domains. With alpha =
 *     3, twice the delay is therefore at most w. Suppose a value leaves a counter and returns over the same wire. The
 *     value has grown by at most w, and the counter by at least w, so the value is not larger than the counter. In a
 *     tree a value returns by no other path, so no counter runs faster than the fastest oscillator. With a smaller
 *     alpha, two ports raise each other at every beacon. (For a loop of wires, each of whose delays may be half a tick
 *     too long, this argument proves nothing; simulations show that no counter runs too fast there.)
 *  D2 A beacon that comes before the delay is known is dropped, because it could move the local counter while the delay
 *     is measured by that counter. The paper does not treat this case.
 *  D3 A beacon carries the lower half of a counter. If the sender is more than 2^52 ticks behind the receiver's local
 *     counter, the completed value may be ahead of every counter of the network. A port whose peer may be far away
 *     therefore drops beacons until it has joined: until an MSB message and then a JOIN have come, which give the whole
 *     counter, and the local counter is less than 2^51 ticks ahead of it. From then on only the peer moves the local
 *     counter, so the peer is never far behind. (If the peer jumps far ahead, a completed value is too small at most, and
 *     the next JOIN corrects it.) A device sends no MSB shortly before its lower half wraps, because the JOIN would come
 *     after the wrap. */
#ifndef ORDO_LAB_NET_DTP_DEVICE_H
#define ORDO_LAB_NET_DTP_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

enum ordo_net_dtp_kind {
    ORDO_NET_DTP_INIT,
    ORDO_NET_DTP_INIT_ACK,
    ORDO_NET_DTP_BEACON,
    ORDO_NET_DTP_JOIN, /* a beacon that may be far ahead */
    ORDO_NET_DTP_MSB   /* the upper half of a counter */
};

struct ordo_net_dtp_device {
    int64_t global; /* the global counter, less the ticks of the device */
};

struct ordo_net_dtp_port {
    int64_t local; /* the local counter, less the ticks of the device */
    int64_t delay; /* measured delay to the peer, in ticks */
    bool known;    /* the delay was measured */
    bool joined;   /* D3 */
    int64_t upper; /* the peer's upper half, times 2^53; -1: unknown */
};

/** T0: initialises the port when its link comes up. Returns the value that INIT carries. */
static inline int64_t ordo_net_dtp_init(const struct ordo_net_dtp_device *device, struct ordo_net_dtp_port *port,
                                        int64_t tick)
{
    *port = (struct ordo_net_dtp_port){.local = device->global, .upper = -1};
    return port->local + tick;
}

/** T2: measures the delay when the answer to INIT comes, at `tick`. `left` is the value of the local counter when INIT
 *    left. */
static inline void ordo_net_dtp_measure(struct ordo_net_dtp_port *port, int alpha, int64_t tick, int64_t left)
{
    int64_t twice = port->local + tick - left - alpha;
    port->delay = (twice - (twice < 0)) / 2; /* D1: rounded down, also below zero */
    port->known = true;
}

/** T4: takes a beacon with the value `counter`, which came at `tick`. */
static inline void ordo_net_dtp_beacon(struct ordo_net_dtp_port *port, int64_t tick, int64_t counter)
{
    if (port->known && counter + port->delay - tick > port->local) /* D2 */
        port->local = counter + port->delay - tick;
}

/** T5: true if the port's counter is larger than the device's counter; the device must then adopt the port's
 * counter. */
static inline bool ordo_net_dtp_is_ahead(const struct ordo_net_dtp_port *port, const struct ordo_net_dtp_device *device)
{
    return port->local > device->global;
}

#endif
