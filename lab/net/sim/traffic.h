/* A port of a switch: a queue, and the cross traffic that it shares with what the protocols send.
 *
 * The cross traffic is made packet by packet, but only when somebody looks: between two packets of a protocol the backlog follows
 * from the arrivals in between (D. V. Lindley, The theory of queues with a single server, 1952). Time is cut into epochs, and
 * the arrivals of an epoch depend on the seed, the port and the epoch alone: so all protocols meet the very same traffic, and
 * a port at which nobody looked for long goes on from the epoch before, with an empty queue that has had an epoch to fill. */
#ifndef ORDO_LAB_NET_SIM_TRAFFIC_H
#define ORDO_LAB_NET_SIM_TRAFFIC_H

#include <stdbool.h>
#include <stdint.h>

enum ordo_net_traffic_kind {
    ORDO_NET_POISSON, /* packets one by one, at exponential distances */
    ORDO_NET_BURSTY,  /* in bursts of a geometric length, 16 in the mean, that come twice as fast as the port sends */
    ORDO_NET_INCAST,  /* 32 packets at once on ports to hosts; one by one elsewhere */
};

/** "poisson", "bursty", "incast"; NULL beyond. */
const char *ordo_net_traffic_name(int kind);

struct ordo_net_traffic {
    enum ordo_net_traffic_kind kind;
    double load;          /* the share of a port's rate that the cross traffic takes; in [0, 1) */
    double gbps;          /* the rate of every port; positive */
    int64_t buffer_bytes; /* of a port; what finds it full is lost */
    uint64_t seed;
};

/** What follows from it, in ps, for all ports. */
struct ordo_net_pace {
    struct ordo_net_traffic traffic;
    int64_t small_ps, large_ps, buffer_ps, epoch_ps;
    double mean_ps, byte_ps;
    double
        quantile[1 + (1 << 10)]; /* of the exponential distribution with mean 1, at even shares; the last is not used */
};

void ordo_net_pace_make(struct ordo_net_pace *pace, const struct ordo_net_traffic *traffic);

/** The time of a packet of this size on the wire, with the 24 bytes that Ethernet adds, in ps. */
static inline int64_t ordo_net_wire_ps(const struct ordo_net_pace *pace, int bytes)
{
    return (int64_t)((bytes + 24) * pace->byte_ps + 0.5);
}

struct ordo_net_traffic_port {
    int64_t free_ps; /* true time at which all before is sent */
    int64_t next_ps; /* the next arrival of the cross traffic */
    int64_t end_ps;  /* of this epoch */
    uint64_t random;
    uint32_t id;
    int burst_left, burst_packets; /* of this burst; of the mean one, 1: no bursts */
    double gap_ps;                 /* from a burst to the next, in the mean */
    int64_t burst_apart_ps;
};

void ordo_net_traffic_port_make(struct ordo_net_traffic_port *port, const struct ordo_net_pace *pace, uint32_t id,
                                bool to_host);

/** A packet of a protocol arrives at `at_ps`, not before any that arrived earlier. Returns when its last bit leaves, or -1
 * where it found the buffer full and is lost. */
int64_t ordo_net_traffic_port_pass(struct ordo_net_traffic_port *port, const struct ordo_net_pace *pace, int64_t at_ps,
                                   int bytes);

#endif
