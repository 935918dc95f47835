/* PTP, see ptp/ptp.h. */
#include <string.h>

#include "lab/net/protocol/protocol.h"
#include "lab/net/protocol/stamps.h"
#include "lab/net/ptp/ptp.h"

static bool take_clocks(enum ordo_net_ptp_clocks *clocks, const char *value)
{
    static const char *const names[] = {"ordinary", "boundary", "transparent"};
    for (int i = 0; i < 3; i++)
        if (strcmp(value, names[i]) == 0) {
            *clocks = (enum ordo_net_ptp_clocks)i;
            return true;
        }
    return false;
}

static bool take_delay(enum ordo_net_ptp_delay *delay, const char *value)
{
    bool peers = strcmp(value, "p2p") == 0;
    *delay = peers ? ORDO_NET_PTP_PEER_TO_PEER : ORDO_NET_PTP_END_TO_END;
    return peers || strcmp(value, "e2e") == 0;
}

static bool take_servo(bool *free_running, const char *value)
{
    *free_running = strcmp(value, "none") == 0;
    return *free_running || strcmp(value, "pi") == 0;
}

ORDO_NET_PROTOCOL_BEGIN(ptp)

static bool take_ptp_option(struct ordo_net_choice *choice, const char *option, const char *value)
{
    struct ordo_net_ptp *ptp = (struct ordo_net_ptp *)choice->own;
    if (strcmp(option, "clocks") == 0)
        return take_clocks(&ptp->clocks, value);
    if (strcmp(option, "delay") == 0)
        return take_delay(&ptp->delay, value);
    if (strcmp(option, "servo") == 0)
        return take_servo(&ptp->free_running, value);
    if (strcmp(option, "sync-ms") == 0)
        return ordo_net_value_number(value, 1, 1000000, &ptp->sync_ms);
    if (strcmp(option, "fails-ms") == 0)
        return ordo_net_value_number(value, 0, 86400000, &ptp->fails_ms);
    if (strcmp(option, "system-hz") == 0)
        return ordo_net_value_number(value, 0, 10000, &ptp->system_hz);
    if (strcmp(option, "read-ns") == 0)
        return ordo_net_value_number(value, 0, 1000000, &ptp->read_ns);
    return ordo_net_stamps_take(&ptp->stamps, option, value);
}

static int run_ptp(const struct ordo_net_options *options, const struct ordo_net_choice *choice,
                   struct ordo_net_outcome *outcome, struct ordo_error *error)
{
    return ordo_net_ptp_run(options, (const struct ordo_net_ptp *)choice->own, &outcome->score, NULL, error);
}

const struct ordo_net_protocol ordo_net_protocol_ptp = {
    .name = "ptp",
    .title = "masters multicast the time, and slaves ask for the delay",
    .options =
        "clocks=ordinary|boundary|transparent, delay=e2e|p2p, servo=pi|none, sync-ms=1..1000000, fails-ms=0..86400000, "
        "system-hz=0..10000, read-ns=0..1000000, " ORDO_NET_STAMPS_OPTIONS,
    .begin = begin_ptp,
    .take = take_ptp_option,
    .run = run_ptp,
};
