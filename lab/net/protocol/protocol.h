/* Protocols that find out by how much the clocks of a network differ: each runs on a simulated network and is scored.
 *
 * A protocol sees stamps and messages. What it claims is judged by the true clocks, which it does not see. */
#ifndef ORDO_LAB_NET_PROTOCOL_PROTOCOL_H
#define ORDO_LAB_NET_PROTOCOL_PROTOCOL_H

#include "lab/net/dtp/dtp.h"
#include "lab/net/firefly/firefly.h"
#include "lab/net/huygens/huygens.h"
#include "lab/net/ntp/ntp.h"
#include "lab/net/osmosis/osmosis.h"
#include "lab/net/ptp/ptp.h"
#include "lab/net/score/score.h"
#include "lab/net/sim/network.h"

/** A protocol as it was asked for, with what its options chose; those of other protocols stay at their defaults. */
struct ordo_net_choice {
    const struct ordo_net_protocol *protocol;
    struct ordo_net_huygens huygens;
    struct ordo_net_ntp ntp;
    struct ordo_net_dtp dtp;
    struct ordo_net_osmosis osmosis;
    struct ordo_net_ptp ptp;
    struct ordo_net_firefly firefly;
};

/** What it came to. */
struct ordo_net_outcome {
    struct ordo_net_score score;
    bool has_edges;
    struct ordo_net_edges edges; /* of a protocol that measures edges */
    bool has_counters;
    struct ordo_net_counters counters; /* of a protocol in the physical layer */
    bool has_tree;
    struct ordo_net_osmosis_outcome tree; /* of a protocol that builds one */
    bool has_servers;
    struct ordo_net_ntp_outcome servers; /* of a protocol that chooses among several */
};

struct ordo_net_protocol {
    const char *name, *title;
    /** Takes one option, such as "coding", with its value. False: there is none of that name, or not with that value. */
    bool (*take)(struct ordo_net_choice *choice, const char *option, const char *value);
    const char *options; /* those that it takes, for people: "name=from..to, name=this|that" */
    /** Runs it on a network of its own. */
    int (*run)(const struct ordo_net_options *options, const struct ordo_net_choice *choice,
               struct ordo_net_outcome *outcome, struct ordo_error *error);
};

/** Generated from the files of protocol/, ending with NULL. */
extern const struct ordo_net_protocol *const ordo_net_protocols[];

/** Reads "huygens", "huygens:estimator=lp:coding=no", each option once. ORDO_E_INVALID with one line that says what can be taken. */
int ordo_net_choice_parse(struct ordo_net_choice *choice, const char *text, struct ordo_error *error);

#endif
