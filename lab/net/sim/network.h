/* A packet-level simulated network whose true clocks are known, on which protocols of clocks run.
 *
 * Time is in ps, integers everywhere; deterministic: the same options give the same run, packet by packet. Events happen in the
 * order of true time, since packets of different hosts meet in the queues of switches; that is why it is not the simulated cluster of
 * cluster/transport, whose ranks run ahead of each other and whose messages never wait for each other's.
 *
 * A packet is stamped when its first bit leaves its host and when its last bit has come; equal sizes cancel. The
 * queue of the host itself lies before its stamp and holds the protocol's packets only. */
#ifndef ORDO_LAB_NET_SIM_NETWORK_H
#define ORDO_LAB_NET_SIM_NETWORK_H

#include "lab/net/sim/clock.h"
#include "lab/net/sim/shape.h"
#include "lab/net/sim/traffic.h"

struct ordo_net_options {
    enum ordo_net_shape_kind shape;
    int hosts;
    double seconds;
    int64_t delay_ns;     /* of every link, with the switch at its end */
    int64_t asymmetry_ns; /* each direction of each link takes longer by a constant of its own within 0 and this */
    int failing_links,
        failing_nodes; /* so many of each are lost for a while, with all that is sent over them meanwhile */
    double outage_s;
    struct ordo_net_clock_options clock;
    struct ordo_net_traffic traffic; /* its seed is that of everything */
};

/** 128 hosts on a two-stage Clos network of 10 Gbit/s at 40% load, for 10 s. */
struct ordo_net_options ordo_net_defaults(void);

/** As the `to` of a packet: to all other hosts, along a tree of links; each switch copies it. */
enum { ORDO_NET_ALL = -1 };

/** What a protocol sends. It travels as if it had `bytes`; the words are its own. */
struct ordo_net_packet {
    int from, to, bytes; /* the nodes; `to` is its receiver's once it has come */
    uint32_t flow;       /* packets of one flow take one way */
    int64_t sent_ps;     /* its sender's stamp, which the interface writes into it */
    int64_t words[5];
};

struct ordo_net;

/** What a protocol does. All are called in the order of true time. */
struct ordo_net_protocol_calls {
    /** A packet came to its host, whose stamp it is. */
    void (*arrive)(void *context, struct ordo_net *net, const struct ordo_net_packet *packet, int64_t stamp_ps);
    /** An alarm that was set with ordo_net_wake. */
    void (*wake)(void *context, struct ordo_net *net, int host, int token);
    /** A moment at which the protocol is to say what it believes, see ordo_net_run. */
    void (*judge)(void *context, struct ordo_net *net, int64_t true_ps);
};

/** NULL with `error` filled where the options are invalid or memory ran out. */
struct ordo_net *ordo_net_new(const struct ordo_net_options *options, struct ordo_error *error);
void ordo_net_free(struct ordo_net *net);

/** Has the switches stamp, by clocks of their own, when the last bit of each packet comes and when its first leaves: `pass` may change
 * what the packet says. */
void ordo_net_stamp_in_switches(struct ordo_net *net,
                                void (*pass)(struct ordo_net_packet *packet, int64_t came_ps, int64_t leaves_ps));

/** Runs until the end: `judge` every `judge_every_ps`, and once at the end. ORDO_E_SYSTEM: out of memory. */
int ordo_net_run(struct ordo_net *net, const struct ordo_net_protocol_calls *calls, void *context,
                 int64_t judge_every_ps, struct ordo_error *error);

/** Sends a packet `after_ps` from now, or as soon as those that were sent before it have left the host. Until then the host sends no
 * other. Returns its stamp. */
int64_t ordo_net_send(struct ordo_net *net, const struct ordo_net_packet *packet, int64_t after_ps);

/** Sends a packet now from any node over one of its links, to the node at the link's end, which need not be a host. Returns its
 * stamp, by the clock of the node. */
int64_t ordo_net_send_over(struct ordo_net *net, int link, const struct ordo_net_packet *packet);

/** The links that leave a node. */
const int *ordo_net_links_of(const struct ordo_net *net, int node, int *count);
const struct ordo_net_shape *ordo_net_shape_of(const struct ordo_net *net);

/** Calls `wake` of this node after a time. */
void ordo_net_wake(struct ordo_net *net, int node, int64_t after_ps, int token);

const struct ordo_net_options *ordo_net_options_of(const struct ordo_net *net);

/** What a node's clock shows now, without noise: for what it does with its own clock, and not for stamps. */
int64_t ordo_net_clock_now(const struct ordo_net *net, int node);

/** For judges only. */
int64_t ordo_net_clock_true(const struct ordo_net *net, int host, int64_t true_ps);

struct ordo_net_counts {
    uint64_t packets, lost, bytes; /* of the protocol, sent by all hosts; on the wire */
};
struct ordo_net_counts ordo_net_counted(const struct ordo_net *net);

struct ordo_net_meter {
    uint64_t sent_packets, sent_bytes, came_packets, came_bytes;
    double seconds; /* of counting */
};
/** What this host alone sent and received in the second half of the run. */
struct ordo_net_meter ordo_net_metered(const struct ordo_net *net, int host);

#endif
