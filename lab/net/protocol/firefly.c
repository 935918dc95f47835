/* Firefly, see firefly/firefly.h. */
#include <string.h>

#include "lab/net/firefly/firefly.h"
#include "lab/net/protocol/protocol.h"
#include "lab/net/protocol/value.h"

ORDO_NET_PROTOCOL_BEGIN(firefly)

static bool take_firefly_option(struct ordo_net_choice *choice, const char *option, const char *value)
{
    struct ordo_net_firefly *firefly = (struct ordo_net_firefly *)choice->own;
    if (strcmp(option, "peers") == 0)
        return ordo_net_value_number(value, 1, 1000, &firefly->peers);
    if (strcmp(option, "every-us") == 0)
        return ordo_net_value_number(value, 10, 1000000, &firefly->every_us);
    return strcmp(option, "round-ms") == 0 && ordo_net_value_number(value, 1, 1000000, &firefly->round_ms);
}

static int run_firefly(const struct ordo_net_options *options, const struct ordo_net_choice *choice,
                       struct ordo_net_outcome *outcome, struct ordo_error *error)
{
    return ordo_net_firefly_run(options, (const struct ordo_net_firefly *)choice->own, &outcome->score, error);
}

const struct ordo_net_protocol ordo_net_protocol_firefly = {
    .name = "firefly",
    .title = "no reference: every host averages with some others, again and again",
    .options = "peers=1..1000, every-us=10..1000000, round-ms=1..1000000",
    .begin = begin_firefly,
    .take = take_firefly_option,
    .run = run_firefly,
};
