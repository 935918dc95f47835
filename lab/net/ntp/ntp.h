/* NTP: every host asks the servers, which are the first hosts, for the time, and steers a clock of its own by what it gets.
 *
 * D. L. Mills, J. Martin, J. Burbank, W. Kasch, RFC 5905 (2010): the exchange and its offset and delay (section 8), the filter that takes
 * the exchange of the least delay of the last eight (section 10), the selection among several servers and what they say together
 * (section 11.2, ntp/select.h), and a clock discipline reduced to its phase-locked loop (section 11.3). The bound is that of
 * the exchanges' round trips, which RFC 5905 calls the root distance, with the promised rates of the clocks; it holds as
 * long as fewer than half of the servers are false.
 *
 * Host 0 is the truth. Other servers have a receiver that tells them its time, to within an error of their own. The last of the
 * servers may be false: their time is wrong, or they say that their answers left earlier than they did, which is the same as a longer
 * way back. */
#ifndef ORDO_LAB_NET_NTP_NTP_H
#define ORDO_LAB_NET_NTP_NTP_H

#include "lab/net/ntp/select.h"
#include "lab/net/score/score.h"
#include "lab/net/servo/stamps.h"
#include "lab/net/sim/network.h"

struct ordo_net_ntp {
    int poll_ms; /* from one exchange of a host to the next */
    int servers, false_servers;
    int reference_ns; /* what a server's receiver is wrong by, at most; not host 0's */
    int wrong_us,
        late_us; /* of false servers: how far ahead their time is, and how much later than they say their answers leave */
    struct ordo_net_stamps stamps;
    int judgements; /* at how many moments it is judged */
};

/** What became of the servers. */
struct ordo_net_ntp_outcome {
    int servers, false_servers;
    double
        rejected[ORDO_NET_NTP_SERVERS]; /* by server: its share of the selections in which others agreed without it */
    double undecided;                   /* the share of all selections in which no majority agreed */
};

struct ordo_net_ntp ordo_net_ntp_defaults(void);

/** Runs it on a network of its own. ORDO_E_INVALID: no host is left that is not a server, or more servers are false than there
 * are; ORDO_E_MEASURE where no host had an answer, or in most selections no majority agreed. `outcome` may be NULL. */
int ordo_net_ntp_run(const struct ordo_net_options *options, const struct ordo_net_ntp *ntp,
                     struct ordo_net_score *score, struct ordo_net_ntp_outcome *outcome, struct ordo_error *error);

#endif
