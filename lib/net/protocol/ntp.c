/* NTP, see ntp/ntp.h. */
#include <string.h>

#include "net/protocol/protocol.h"
#include "net/protocol/stamps.h"

static bool take(struct ordo_net_choice *choice, const char *option, const char *value)
{
    if (strcmp(option, "poll-ms") == 0)
        return ordo_net_value_number(value, 1, 1000000, &choice->ntp.poll_ms);
    return ordo_net_stamps_take(&choice->ntp.stamps, option, value);
}

static int run(const struct ordo_net_options *options, const struct ordo_net_choice *choice,
               struct ordo_net_outcome *outcome, struct ordo_error *error)
{
    return ordo_net_ntp_run(options, &choice->ntp, &outcome->score, error);
}

const struct ordo_net_protocol ordo_net_protocol_ntp = {
    .name = "ntp",
    .title = "every host asks host 0, and steers its clock by the answers",
    .options = "poll-ms=N, " ORDO_NET_STAMPS_OPTIONS,
    .take = take,
    .run = run,
};
