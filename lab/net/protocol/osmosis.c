/* OSMOSIS, see osmosis/osmosis.h. */
#include <string.h>

#include "lab/net/protocol/protocol.h"
#include "lab/net/protocol/value.h"

ORDO_NET_PROTOCOL_BEGIN(osmosis)

static bool take_osmosis_option(struct ordo_net_choice *choice, const char *option, const char *value)
{
    struct ordo_net_osmosis *osmosis = (struct ordo_net_osmosis *)choice->own;
    if (strcmp(option, "beacon-us") == 0)
        return ordo_net_value_number(value, 1, 1000000, &osmosis->beacon_us);
    if (strcmp(option, "phase-ps") == 0)
        return ordo_net_value_number(value, 1, 8000, &osmosis->phase_ps);
    if (strcmp(option, "jitter-ps") == 0)
        return ordo_net_value_number(value, 0, 100000, &osmosis->jitter_ps);
    if (strcmp(option, "join") == 0)
        return ordo_net_value_yes(value, &osmosis->joining);
    if (strcmp(option, "fails-ms") == 0)
        return ordo_net_value_number(value, 0, 1000000, &osmosis->fails_ms);
    return strcmp(option, "cuts") == 0 && ordo_net_value_number(value, 0, 1000, &osmosis->cuts);
}

static int run_osmosis(const struct ordo_net_options *options, const struct ordo_net_choice *choice,
                       struct ordo_net_outcome *outcome, struct ordo_error *error)
{
    outcome->has_tree = true;
    return ordo_net_osmosis_run(options, (const struct ordo_net_osmosis *)choice->own, &outcome->score, &outcome->tree,
                                error);
}

const struct ordo_net_protocol ordo_net_protocol_osmosis = {
    .name = "osmosis",
    .title = "a tree below host 0, whose clock is recovered from channel to channel",
    .options = "beacon-us=1..1000000, phase-ps=1..8000, jitter-ps=0..100000, join=yes|no, fails-ms=0..1000000, "
               "cuts=0..1000",
    .begin = begin_osmosis,
    .take = take_osmosis_option,
    .run = run_osmosis,
};
