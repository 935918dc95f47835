/* NTP: every host asks host 0 for the time, and steers a clock of its own by what it gets.
 *
 * D. L. Mills, J. Martin, J. Burbank, W. Kasch, RFC 5905 (2010): the exchange and its offset and delay (section 8), the filter that takes
 * the exchange of the least delay of the last eight (section 10), and a clock discipline reduced to its phase-locked
 * loop (section 11.3). One server, so that nothing has to be selected. The bound is that of the exchange's round trip, which
 * RFC 5905 calls the root distance, with the promised rates of the clocks. */
#ifndef ORDO_NET_NTP_NTP_H
#define ORDO_NET_NTP_NTP_H

#include "net/score/score.h"
#include "net/servo/stamps.h"
#include "net/sim/network.h"

struct ordo_net_ntp {
    int poll_ms; /* from one exchange of a host to the next */
    struct ordo_net_stamps stamps;
    int judgements; /* at how many moments it is judged */
};

struct ordo_net_ntp ordo_net_ntp_defaults(void);

/** Runs it on a network of its own. ORDO_E_MEASURE where no host had an answer. */
int ordo_net_ntp_run(const struct ordo_net_options *options, const struct ordo_net_ntp *ntp,
                     struct ordo_net_score *score, struct ordo_error *error);

#endif
