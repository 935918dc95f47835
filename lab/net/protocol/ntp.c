/* NTP, see ntp/ntp.h. */
#include <string.h>

#include "lab/net/protocol/protocol.h"
#include "lab/net/protocol/stamps.h"

ORDO_NET_PROTOCOL_BEGIN(ntp)

static bool take_ntp_option(struct ordo_net_choice *choice, const char *option, const char *value)
{
    struct ordo_net_ntp *ntp = (struct ordo_net_ntp *)choice->own;
    if (strcmp(option, "poll-ms") == 0)
        return ordo_net_value_number(value, 1, 1000000, &ntp->poll_ms);
    if (strcmp(option, "servers") == 0)
        return ordo_net_value_number(value, 1, ORDO_NET_NTP_SERVERS, &ntp->servers);
    if (strcmp(option, "peers") == 0)
        return ordo_net_value_number(value, 0, ORDO_NET_NTP_SERVERS, &ntp->peers);
    if (strcmp(option, "false") == 0)
        return ordo_net_value_number(value, 0, ORDO_NET_NTP_SERVERS, &ntp->false_servers);
    if (strcmp(option, "wrong-us") == 0)
        return ordo_net_value_number(value, 0, 1000000, &ntp->wrong_us);
    if (strcmp(option, "late-us") == 0)
        return ordo_net_value_number(value, 0, 1000000, &ntp->late_us);
    if (strcmp(option, "reference-ns") == 0)
        return ordo_net_value_number(value, 0, 1000000000, &ntp->reference_ns);
    return ordo_net_stamps_take(&ntp->stamps, option, value);
}

static int run_ntp(const struct ordo_net_options *options, const struct ordo_net_choice *choice,
                   struct ordo_net_outcome *outcome, struct ordo_error *error)
{
    const struct ordo_net_ntp *ntp = (const struct ordo_net_ntp *)choice->own;
    outcome->has_servers = ntp->servers > 1;
    return ordo_net_ntp_run(options, ntp, &outcome->score, &outcome->servers, error);
}

const struct ordo_net_protocol ordo_net_protocol_ntp = {
    .name = "ntp",
    .title = "every host asks the servers, and steers its clock by the answers",
    .options = "poll-ms=1..1000000, servers=1..8, peers=0..8, false=0..8, wrong-us=0..1000000, late-us=0..1000000, "
               "reference-ns=0..1000000000, " ORDO_NET_STAMPS_OPTIONS,
    .begin = begin_ntp,
    .take = take_ntp_option,
    .run = run_ntp,
};
