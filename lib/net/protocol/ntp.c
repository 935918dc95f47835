/* NTP, see ntp/ntp.h. */
#include <string.h>

#include "net/protocol/protocol.h"
#include "net/protocol/value.h"

static bool take(struct ordo_net_choice *choice, const char *option, const char *value)
{
    return strcmp(option, "poll-ms") == 0 && ordo_net_value_number(value, 1, 1000000, &choice->ntp.poll_ms);
}

static int run(const struct ordo_net_options *options, const struct ordo_net_choice *choice,
               struct ordo_net_outcome *outcome, struct ordo_error *error)
{
    return ordo_net_ntp_run(options, &choice->ntp, &outcome->score, error);
}

const struct ordo_net_protocol ordo_net_protocol_ntp = {
    .name = "ntp",
    .title = "every host asks host 0, and steers its clock by the answers",
    .options = "poll-ms=N",
    .take = take,
    .run = run,
};
