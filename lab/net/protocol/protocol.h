/* Protocols that estimate by how much the clocks of a network differ: each runs on a simulated network and is scored.
 *
 * A protocol sees stamps and messages. Its claims are judged by the true clocks, which it does not see. */
#ifndef ORDO_LAB_NET_PROTOCOL_PROTOCOL_H
#define ORDO_LAB_NET_PROTOCOL_PROTOCOL_H

#include <stddef.h>

#include "lab/net/dtp/dtp.h"
#include "lab/net/huygens/huygens.h"
#include "lab/net/ntp/ntp.h"
#include "lab/net/osmosis/osmosis.h"
#include "lab/net/score/score.h"
#include "lab/net/sim/network.h"

enum { ORDO_NET_CHOICE_BYTES = 256 };

/** A protocol that the caller chose, with its options: a struct defined by the protocol. */
struct ordo_net_choice {
    const struct ordo_net_protocol *protocol;
    _Alignas(max_align_t) char own[ORDO_NET_CHOICE_BYTES];
};

/** The result of a run. */
struct ordo_net_outcome {
    struct ordo_net_score score;
    bool has_edges;
    struct ordo_net_edges edges; /* of a protocol that measures edges */
    bool has_counters;
    struct ordo_net_counters counters; /* of a protocol in the physical layer */
    bool has_tree;
    struct ordo_net_osmosis_outcome tree; /* of a protocol that builds a tree */
    bool has_servers;
    struct ordo_net_ntp_outcome servers; /* of a protocol that selects among several servers */
};

struct ordo_net_protocol {
    const char *name, *title;
    /** Sets the options of the protocol, choice->own, to their defaults. */
    void (*begin)(struct ordo_net_choice *choice);
    /** Takes one option, such as "coding", with its value. Returns false if there is no such option or no such
     * value. */
    bool (*take)(struct ordo_net_choice *choice, const char *option, const char *value);
    const char *options; /* for people: "name=from..to, name=this|that"; '@' stands for the estimators of edges */
    /** Runs the protocol on a network of its own. */
    int (*run)(const struct ordo_net_options *options, const struct ordo_net_choice *choice,
               struct ordo_net_outcome *outcome, struct ordo_error *error);
};

/** Defines `begin` for a protocol whose options are a struct ordo_net_<stem>, with ordo_net_<stem>_defaults. */
#define ORDO_NET_PROTOCOL_BEGIN(stem)                                                                                  \
    _Static_assert(sizeof(struct ordo_net_##stem) <= ORDO_NET_CHOICE_BYTES, "room for the options");                   \
    static void begin_##stem(struct ordo_net_choice *choice)                                                           \
    {                                                                                                                  \
        *(struct ordo_net_##stem *)choice->own = ordo_net_##stem##_defaults();                                         \
    }

/** All protocols, ending with NULL; generated from the files of protocol/. */
extern const struct ordo_net_protocol *const ordo_net_protocols[];

enum { ORDO_NET_OPTIONS_TEXT = 400 };

/** Writes the options of a protocol, with the names of the estimators in place of '@'. */
void ordo_net_protocol_options(const struct ordo_net_protocol *protocol, char text[ORDO_NET_OPTIONS_TEXT]);

/** Reads "huygens", "huygens:estimator=lp:coding=no", each option once. ORDO_E_INVALID: `error` lists the possible
 * values. */
int ordo_net_choice_parse(struct ordo_net_choice *choice, const char *text, struct ordo_error *error);

#endif
