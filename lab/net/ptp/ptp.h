/* PTP: a tree of masters and slaves that finds itself; every slave steers its clock by what its master multicasts.
 *
 * IEEE Std 1588-2008: the end-to-end delay mechanism with two-step clocks (clause 11), best-master selection (clause 9.3), boundary
 * and transparent clocks (6.5). Host 0 has a reference of its own (class 6), the other clocks have none (class 248). Ordinary clocks form
 * one segment, in which all hear all messages. Transparent clocks are switches that add the time that an event waits in them to it.
 * Boundary clocks are switches that are slaves of one neighbour and masters of the others: each link is a segment. There is no bound: what
 * a boundary clock passes on proves nothing. */
#ifndef ORDO_LAB_NET_PTP_PTP_H
#define ORDO_LAB_NET_PTP_PTP_H

#include "lab/net/score/score.h"
#include "lab/net/servo/stamps.h"
#include "lab/net/sim/network.h"

enum ordo_net_ptp_clocks { ORDO_NET_PTP_ORDINARY, ORDO_NET_PTP_BOUNDARY, ORDO_NET_PTP_TRANSPARENT };

struct ordo_net_ptp {
    enum ordo_net_ptp_clocks clocks; /* what the switches are; ordinary: just switches */
    int sync_ms; /* between two Syncs, and in the mean between two Delay_Reqs; an Announce every other time */
    struct ordo_net_stamps stamps;
    bool free_running; /* no servo: a slave claims what it measured last */
    int fails_ms;      /* host 0 falls silent then; 0: never */
    int system_hz; /* the stamped clock is that of the interface, and the host's own is brought to it so often per second; 0: one clock */
    int read_ns;    /* standard deviation of one reading of both */
    int judgements; /* at how many moments it is judged */
};

struct ordo_net_ptp ordo_net_ptp_defaults(void);

/** What became of it, beside the score. */
struct ordo_net_ptp_found {
    int grandmaster;              /* the node that the last host takes its time from in the end; -1: none */
    int masters, slaves, passive; /* ports at the end */
};

/** Runs it on a network of its own. `found` may be NULL. ORDO_E_MEASURE where no host was synchronised. */
int ordo_net_ptp_run(const struct ordo_net_options *options, const struct ordo_net_ptp *ptp,
                     struct ordo_net_score *score, struct ordo_net_ptp_found *found, struct ordo_error *error);

#endif
