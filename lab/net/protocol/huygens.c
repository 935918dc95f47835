/* HUYGENS, see huygens/huygens.h. */
#include <stdlib.h>
#include <string.h>

#include "lab/net/protocol/protocol.h"
#include "lab/net/protocol/value.h"

ORDO_NET_PROTOCOL_BEGIN(huygens)

static bool take_huygens_option(struct ordo_net_choice *choice, const char *option, const char *value)
{
    struct ordo_net_huygens *huygens = (struct ordo_net_huygens *)choice->own;
    if (strcmp(option, "estimator") == 0)
        return (huygens->estimator = ordo_net_offset_estimator_find(value)) != NULL;
    if (strcmp(option, "coding") == 0)
        return ordo_net_value_yes(value, &huygens->coded);
    if (strcmp(option, "network") == 0)
        return ordo_net_value_yes(value, &huygens->balanced);
    if (strcmp(option, "real-time") == 0)
        return ordo_net_value_yes(value, &huygens->real_time);
    if (strcmp(option, "window-ms") == 0)
        return ordo_net_value_number(value, 10, 60000, &huygens->window_ms);
    if (strcmp(option, "peers") == 0)
        return ordo_net_value_number(value, 1, 1000, &huygens->peers);
    if (strcmp(option, "every-us") == 0)
        return ordo_net_value_number(value, 10, 1000000, &huygens->every_us);
    if (strcmp(option, "spacing-ns") == 0)
        return ordo_net_value_number(value, 1, 1000000, &huygens->spacing_ns);
    return strcmp(option, "tolerance-ns") == 0 && ordo_net_value_number(value, 0, 1000000, &huygens->tolerance_ns);
}

static int run_huygens(const struct ordo_net_options *options, const struct ordo_net_choice *choice,
                       struct ordo_net_outcome *outcome, struct ordo_error *error)
{
    outcome->has_edges = true;
    return ordo_net_huygens_run(options, (const struct ordo_net_huygens *)choice->own, &outcome->score, &outcome->edges,
                                error);
}

const struct ordo_net_protocol ordo_net_protocol_huygens = {
    .name = "huygens",
    .title = "coded probes, support vector machines and the network effect",
    .options = "estimator=@, coding=yes|no, network=yes|no, real-time=yes|no, window-ms=10..60000, peers=1..1000, "
               "every-us=10..1000000, "
               "spacing-ns=1..1000000, tolerance-ns=0..1000000",
    .begin = begin_huygens,
    .take = take_huygens_option,
    .run = run_huygens,
};
