/* A packet-level simulated network whose true clocks are known, on which protocols of clocks run.
 *
 * Time is an integer in ps everywhere. A run is deterministic: the same options give the same run, packet by packet.
 * Events happen in the order of true time, because packets of different hosts meet in the queues of switches. The
 * simulated cluster of cluster/transport cannot do this: its ranks run ahead of each other, and its messages never wait
 * for messages of other ranks.
 *
 * A packet is stamped when its first bit leaves its host and when its last bit has come; in an exchange the times of
 * transmission cancel if both packets have the same size. The queue of the sending host is before the stamp, and holds
 * only packets of the protocol. */
#ifndef ORDO_LAB_NET_SIM_NETWORK_H
#define ORDO_LAB_NET_SIM_NETWORK_H

#include <stddef.h>

#include "lab/net/sim/clock.h"
#include "lab/net/sim/shape.h"
#include "lab/net/sim/traffic.h"

/** A packet that came to its receiver, in true time. */
struct ordo_net_logged {
    int from, to, bytes;
    int64_t left_ps, came_ps; /* its first bit entered the first link; its last bit has come */
    int64_t words[5];
};

/** The first packets of a run. */
struct ordo_net_log {
    struct ordo_net_logged *packet;
    size_t count, room; /* the caller gives `room` packets, and sets `count` to 0 */
};

struct ordo_net_options {
    enum ordo_net_shape_kind shape;
    int hosts;
    double seconds;
    int64_t delay_ns;     /* delay of every link, including the switch at its end */
    int64_t asymmetry_ns; /* each direction of each link takes longer by a random constant from 0 to asymmetry_ns */
    /* Number of links and nodes that fail, each for outage_s. Packets that are sent over them in this time are lost. */
    int failing_links, failing_nodes;
    double outage_s;
    struct ordo_net_clock_options clock;
    struct ordo_net_traffic traffic; /* traffic.seed is the seed of the whole simulation */
    struct ordo_net_log *log;        /* NULL: packets are not logged */
};

/** Returns the options of 128 hosts on a two-stage Clos network of 10 Gbit/s at 40% load, for 10 s. */
struct ordo_net_options ordo_net_defaults(void);

/** The value of a packet's `to` for all other hosts. The packet goes along a tree of links; each switch copies it. */
enum { ORDO_NET_ALL = -1 };

/** A packet of a protocol. The packet is transmitted as if it had `bytes` bytes; the protocol defines the words. */
struct ordo_net_packet {
    int from, to, bytes; /* `from` and `to` are nodes; when the packet arrives, `to` is its receiver */
    uint32_t flow;       /* packets of one flow take the same path */
    int64_t sent_ps;     /* the sender's stamp, which the interface writes into the packet */
    int64_t words[5];
    int64_t left_ps; /* true time at which its first bit entered the first link; for the log only */
};

struct ordo_net;

/** The functions of a protocol. All are called in the order of true time. */
struct ordo_net_protocol_calls {
    /** Called when a packet has come to its host; `stamp_ps` is the host's stamp. */
    void (*arrive)(void *context, struct ordo_net *net, const struct ordo_net_packet *packet, int64_t stamp_ps);
    /** Called for an alarm that was set by ordo_net_wake. */
    void (*wake)(void *context, struct ordo_net *net, int host, int token);
    /** Called at a moment at which the protocol must make its claims, see ordo_net_run. */
    void (*judge)(void *context, struct ordo_net *net, int64_t true_ps);
};

/** Makes a network. Returns NULL, and fills in `error`, if the options are invalid or if out of memory. */
struct ordo_net *ordo_net_new(const struct ordo_net_options *options, struct ordo_error *error);
void ordo_net_free(struct ordo_net *net);

/** Lets each switch stamp, by a clock of its own, when the last bit of a packet comes and when its first bit leaves.
 * `pass` may change the words of the packet. */
void ordo_net_stamp_in_switches(struct ordo_net *net,
                                void (*pass)(struct ordo_net_packet *packet, int64_t came_ps, int64_t leaves_ps));

/** Runs until the end. Calls `judge` every `judge_every_ps`, and once at the end. ORDO_E_SYSTEM: out of memory. */
int ordo_net_run(struct ordo_net *net, const struct ordo_net_protocol_calls *calls, void *context,
                 int64_t judge_every_ps, struct ordo_error *error);

/** Sends a packet `after_ps` from now, or when the packets sent earlier have left the host, whichever is later. Packets
 * that the host sends later leave after this packet. Returns the packet's stamp. */
int64_t ordo_net_send(struct ordo_net *net, const struct ordo_net_packet *packet, int64_t after_ps);

/** Sends a packet now from any node over one of its links, to the node at the link's end, which need not be a host.
 * Returns the packet's stamp by the sender's clock. */
int64_t ordo_net_send_over(struct ordo_net *net, int link, const struct ordo_net_packet *packet);

/** Returns the links that leave a node. */
const int *ordo_net_links_of(const struct ordo_net *net, int node, int *count);
const struct ordo_net_shape *ordo_net_shape_of(const struct ordo_net *net);

/** Calls `wake` for a node, `after_ps` from now. */
void ordo_net_wake(struct ordo_net *net, int node, int64_t after_ps, int token);

const struct ordo_net_options *ordo_net_options_of(const struct ordo_net *net);

/** Returns the reading of a node's clock now, without noise. A node may use it for its own clock, and not for
 * stamps. */
int64_t ordo_net_clock_now(const struct ordo_net *net, int node);

/** Returns the reading of a host's clock at a true time. For judges only. */
int64_t ordo_net_clock_true(const struct ordo_net *net, int host, int64_t true_ps);

struct ordo_net_counts {
    uint64_t packets, lost, bytes; /* packets of the protocol from all hosts; `bytes` on the wire */
};
struct ordo_net_counts ordo_net_counted(const struct ordo_net *net);

struct ordo_net_meter {
    uint64_t sent_packets, sent_bytes, came_packets, came_bytes;
    double seconds; /* the time of counting */
};
/** Returns the traffic of this host in the second half of the run. */
struct ordo_net_meter ordo_net_metered(const struct ordo_net *net, int host);

#endif
