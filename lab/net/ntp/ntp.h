/* NTP: every host asks the servers, which are the first hosts, for the time, and steers a clock of its own by their
 * answers. With `peers`, a host asks some of the hosts before it instead, and the hosts form strata (ntp/strata.h).
 *
 * D. L. Mills, J. Martin, J. Burbank, W. Kasch, RFC 5905 (2010): the exchange and its offset and delay (section 8), the
 * filter that takes the exchange with the least delay of the last eight (section 10), the selection among several
 * servers and the combination of their offsets (section 11.2, ntp/select.h), and a clock discipline reduced to its
 * phase-locked loop (section 11.3). The bound comes from the round trips of the exchanges, which RFC 5905 calls the
 * root distance, and the promised rates of the clocks; it holds as long as fewer than half of the servers are false.
 *
 * Host 0 is the truth. Every other server has a receiver that reads host 0's time with a constant error. The last
 * `false_servers` servers are false: their time is wrong, or they state that their answers left earlier than they did,
 * which has the same effect as a longer path back. */
#ifndef ORDO_LAB_NET_NTP_NTP_H
#define ORDO_LAB_NET_NTP_NTP_H

#include "lab/net/ntp/select.h"
#include "lab/net/ntp/strata.h"
#include "lab/net/score/score.h"
#include "lab/net/servo/stamps.h"
#include "lab/net/sim/network.h"

struct ordo_net_ntp {
    int poll_ms; /* time between two exchanges of a host with a server */
    int servers, false_servers;
    int peers;        /* number of hosts that a host asks instead of the servers; 0: it asks all servers */
    int reference_ns; /* the largest error of a server's receiver; host 0 has no error */
    /* By how much the time of a false server is ahead; by how much its answers leave after their stated departure. */
    int wrong_us, late_us;
    struct ordo_net_stamps stamps;
    int judgements; /* the number of moments at which the claims are judged */
};

/** The selections of the servers in a run. */
struct ordo_net_ntp_outcome {
    int servers, false_servers;
    double rejected[ORDO_NET_NTP_SERVERS]; /* by server: share of the decided selections that did not believe it */
    double undecided;                      /* the share of all selections in which no majority agreed */
    /* With peers: number of hosts by stratum, and of those whose path to host 0 is a shortest path. */
    int clocks[ORDO_NET_NTP_UNSYNCHRONISED + 1], shortest;
};

struct ordo_net_ntp ordo_net_ntp_defaults(void);

/** Runs NTP on a network of its own. `outcome` may be NULL.
 *
 * ORDO_E_INVALID: all hosts are servers, or there are more false servers than servers, or peers and several servers.
 * ORDO_E_MEASURE: no host had an answer, or in most selections no majority agreed. */
int ordo_net_ntp_run(const struct ordo_net_options *options, const struct ordo_net_ntp *ntp,
                     struct ordo_net_score *score, struct ordo_net_ntp_outcome *outcome, struct ordo_error *error);

#endif
