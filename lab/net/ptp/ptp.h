/* PTP: a self-organising tree of masters and slaves; every slave steers its clock by the multicasts of its master.
 *
 * IEEE Std 1588-2008: both delay mechanisms with two-step clocks (clause 11), best-master selection (clause 9.3),
 * boundary and transparent clocks (6.5). Host 0 has a reference of its own (class 6), the other clocks have none
 * (class 248). Ordinary clocks form one segment, in which each clock hears all messages. Transparent clocks are
 * switches; they add the time for which an event message waits in them to its correction. Boundary clocks are switches
 * that are slaves of one neighbour and masters of the others; each link is a segment. There is no bound, because the
 * time of a boundary clock proves nothing. */
#ifndef ORDO_LAB_NET_PTP_PTP_H
#define ORDO_LAB_NET_PTP_PTP_H

#include "lab/net/score/score.h"
#include "lab/net/servo/stamps.h"
#include "lab/net/sim/network.h"

/** How a slave measures the delay: to its master, through everything between them, or only over its link to its
 * neighbour, by the peer delay mechanism (clause 11.4). */
enum ordo_net_ptp_delay { ORDO_NET_PTP_END_TO_END, ORDO_NET_PTP_PEER_TO_PEER };

enum ordo_net_ptp_clocks { ORDO_NET_PTP_ORDINARY, ORDO_NET_PTP_BOUNDARY, ORDO_NET_PTP_TRANSPARENT };

struct ordo_net_ptp {
    enum ordo_net_ptp_clocks clocks; /* the kind of the switches; ordinary: the switches have no clock */
    enum ordo_net_ptp_delay delay;
    int sync_ms; /* time between two Syncs; mean time between two Delay_Reqs; Announces are twice as far apart */
    struct ordo_net_stamps stamps;
    bool free_running; /* no servo: a slave claims its last measurement */
    int fails_ms;      /* the time at which host 0 falls silent; 0: never */
    int system_hz;     /* updates per second of a host's own clock by its interface's clock; 0: it has only one clock */
    int read_ns;       /* standard deviation of one reading of both clocks */
    int judgements;    /* the number of moments at which the claims are judged */
};

struct ordo_net_ptp ordo_net_ptp_defaults(void);

enum { ORDO_NET_PTP_STEPS = 32 };

/** The tree at the end of a run. */
struct ordo_net_ptp_found {
    int grandmaster;                /* the grandmaster of the last host at the end; -1: none */
    int masters, slaves, passive;   /* number of ports in each state at the end */
    int clocks[ORDO_NET_PTP_STEPS]; /* number of clocks by their steps from the grandmaster */
    double delay_ns;                /* mean of the delays that the slaves have measured; 0: there is no slave */
};

/** Runs PTP on a network of its own. `found` may be NULL.
 *
 * ORDO_E_INVALID: the peer delay mechanism without a clock at both ends of every link
 * ORDO_E_MEASURE: no host was synchronised */
int ordo_net_ptp_run(const struct ordo_net_options *options, const struct ordo_net_ptp *ptp,
                     struct ordo_net_score *score, struct ordo_net_ptp_found *found, struct ordo_error *error);

#endif
