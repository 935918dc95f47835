/* DTP, see dtp/dtp.h. */
#include <string.h>

#include "lab/net/dtp/daemon.h"
#include "lab/net/protocol/protocol.h"
#include "lab/net/protocol/value.h"

/* Reads one of two words, such as "random" and "extreme". Sets *chosen to true for the second. */
static bool second(const char *value, const char *first, const char *other, bool *chosen)
{
    *chosen = strcmp(value, other) == 0;
    return *chosen || strcmp(value, first) == 0;
}

/* Returns the index of a word in a list of three, or -1. */
static int find_word(const char *value, const char *const words[3])
{
    for (int i = 0; i < 3; i++)
        if (strcmp(value, words[i]) == 0)
            return i;
    return -1;
}

static bool take_first(const char *value, enum ordo_net_dtp_first *first)
{
    static const char *const words[] = {"zero", "wrap", "far"};
    int found = find_word(value, words);
    *first = (enum ordo_net_dtp_first)(found < 0 ? 0 : found);
    return found >= 0;
}

static bool take_access(const char *value, enum ordo_net_dtp_access *access)
{
    static const char *const words[] = {"hardware", "software", "daemon"};
    int found = find_word(value, words);
    *access = (enum ordo_net_dtp_access)(found < 0 ? 0 : found);
    return found >= 0;
}

ORDO_NET_PROTOCOL_BEGIN(dtp)

static bool take_dtp_option(struct ordo_net_choice *choice, const char *option, const char *value)
{
    struct ordo_net_dtp *dtp = (struct ordo_net_dtp *)choice->own;
    if (strcmp(option, "beacon-ticks") == 0)
        return ordo_net_value_number(value, 1, 1000000, &dtp->beacon_ticks);
    if (strcmp(option, "alpha") == 0)
        return ordo_net_value_number(value, 0, 1000, &dtp->alpha);
    if (strcmp(option, "ticks") == 0)
        return ordo_net_value_number(value, 1000, 2000000000, &dtp->ticks);
    if (strcmp(option, "oscillators") == 0)
        return second(value, "random", "extreme", &dtp->extreme);
    if (strcmp(option, "fault-ppm") == 0)
        return ordo_net_value_number(value, 0, 100000, &dtp->fault_ppm);
    if (strcmp(option, "first") == 0)
        return take_first(value, &dtp->first);
    if (strcmp(option, "smooth") == 0)
        return ordo_net_value_number(value, 1, ORDO_NET_DTP_WINDOW, &dtp->smooth);
    if (strcmp(option, "poll-us") == 0)
        return ordo_net_value_number(value, 1, 1000000, &dtp->poll_us);
    if (strcmp(option, "jitter-ns") == 0)
        return ordo_net_value_number(value, 0, 100000, &dtp->jitter_ns);
    return strcmp(option, "access") == 0 && take_access(value, &dtp->access);
}

static int run_dtp(const struct ordo_net_options *options, const struct ordo_net_choice *choice,
                   struct ordo_net_outcome *outcome, struct ordo_error *error)
{
    outcome->has_counters = true;
    return ordo_net_dtp_run(options, (const struct ordo_net_dtp *)choice->own, &outcome->score, &outcome->counters,
                            error);
}

const struct ordo_net_protocol ordo_net_protocol_dtp = {
    .name = "dtp",
    .title = "counters in the physical layer of every device, kept together by beacons",
    .options =
        "beacon-ticks=1..1000000, alpha=0..1000, ticks=1000..2000000000, oscillators=random|extreme, "
        "fault-ppm=0..100000, first=zero|wrap|far, access=hardware|software|daemon, smooth=1..64, poll-us=1..1000000, "
        "jitter-ns=0..100000",
    .begin = begin_dtp,
    .take = take_dtp_option,
    .run = run_dtp,
};
