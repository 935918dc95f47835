/* A port of a switch: a queue, and the cross traffic with which the packets of the protocols share it.
 *
 * The cross traffic is made packet by packet, but only when a packet of a protocol comes to the port: the backlog
 * follows from the arrivals since the last such packet (D. V. Lindley, The theory of queues with a single server,
 * 1952). Time is cut into epochs, and the arrivals of an epoch depend on the seed, the port and the epoch alone. All
 * protocols therefore meet the same traffic. A port that no packet of a protocol has used for long starts again with an
 * empty queue, at the start of the epoch before the present epoch. The queue then has at least an epoch to fill. */
#ifndef ORDO_LAB_NET_SIM_TRAFFIC_H
#define ORDO_LAB_NET_SIM_TRAFFIC_H

#include <stdbool.h>
#include <stdint.h>

enum ordo_net_traffic_kind {
    ORDO_NET_POISSON, /* single packets, at exponential times from one to the next */
    ORDO_NET_BURSTY,  /* in bursts of a geometric length, 16 in the mean, that come twice as fast as the port sends */
    ORDO_NET_INCAST,  /* 32 packets at once on ports to hosts; single packets elsewhere */
};

/** Returns "poisson", "bursty" or "incast"; NULL for a greater number. */
const char *ordo_net_traffic_name(int kind);

struct ordo_net_traffic {
    enum ordo_net_traffic_kind kind;
    double load;          /* the share of a port's rate that the cross traffic takes; in [0, 1) */
    double gbps;          /* the rate of every port; positive */
    int64_t buffer_bytes; /* buffer of a port; a packet that finds it full is lost */
    uint64_t seed;
};

/** The values that follow from the traffic, in ps, for all ports. */
struct ordo_net_pace {
    struct ordo_net_traffic traffic;
    int64_t small_ps, large_ps, buffer_ps, epoch_ps;
    double mean_ps, byte_ps;
    double
        quantile[1 + (1 << 10)]; /* of the exponential distribution with mean 1, at equal steps; the last is not used */
};

void ordo_net_pace_make(struct ordo_net_pace *pace, const struct ordo_net_traffic *traffic);

/** Returns the time of a packet of this size on the wire, with the 24 bytes that Ethernet adds, in ps. */
static inline int64_t ordo_net_wire_ps(const struct ordo_net_pace *pace, int bytes)
{
    return (int64_t)((bytes + 24) * pace->byte_ps + 0.5);
}

struct ordo_net_traffic_port {
    int64_t free_ps; /* the true time at which the queue is empty */
    int64_t next_ps; /* the next arrival of the cross traffic */
    int64_t end_ps;  /* end of this epoch */
    uint64_t random;
    uint32_t id;
    int burst_left, burst_packets; /* packets left in this burst; packets of a mean burst, 1: no bursts */
    double gap_ps;                 /* the mean time from the end of a burst to the next burst */
    int64_t burst_apart_ps;
};

void ordo_net_traffic_port_make(struct ordo_net_traffic_port *port, const struct ordo_net_pace *pace, uint32_t id,
                                bool to_host);

/** Takes a packet of a protocol that arrives at `at_ps`; call in the order of arrival. Returns the time at which its
 * last bit leaves, or -1 if the buffer is full and the packet is lost. */
int64_t ordo_net_traffic_port_pass(struct ordo_net_traffic_port *port, const struct ordo_net_pace *pace, int64_t at_ps,
                                   int bytes);

#endif
