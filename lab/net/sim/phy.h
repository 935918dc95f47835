/* The physical layer of a network: nodes, switches as well as hosts, that count ticks, and channels between neighbours.
 *
 * Time is in fs, integers everywhere; deterministic from a seed. A word travels along one link, beside the packets and unhindered by them, and
 * takes a constant time. Where clock domains are crossed, its receiver has it at the first of its own ticks after the word
 * came, or, with even chance, at the next: what a synchroniser of two flip-flops does. */
#ifndef ORDO_LAB_NET_SIM_PHY_H
#define ORDO_LAB_NET_SIM_PHY_H

#include <stdbool.h>

#include "base/error.h"
#include "lab/net/sim/oscillator.h"
#include "lab/net/sim/shape.h"

struct ordo_net_phy_options {
    int64_t period_fs;              /* of a tick, nominally */
    double skew_ppb;                /* each oscillator's rate lies evenly within 1 +- this, without wander */
    int64_t delay_fs, asymmetry_fs; /* each direction of a channel takes the first, and up to the second longer */
    bool crossing;                  /* of clock domains */
    uint64_t seed;
};

/** What a node tells a neighbour. */
struct ordo_net_word {
    int kind;
    int64_t values[8];
};

struct ordo_net_phy;

/** What the nodes do. All are called in the order of true time. */
struct ordo_net_phy_calls {
    /** A word came along a link, whose `to` is the node. */
    void (*arrive)(void *context, struct ordo_net_phy *phy, int link, const struct ordo_net_word *word);
    /** An alarm that was set with ordo_net_phy_wake. */
    void (*wake)(void *context, struct ordo_net_phy *phy, int node, int token);
};

/** Links come in pairs: 2 i and 2 i + 1 are the directions of channel i. They are copied. NULL: out of memory. */
struct ordo_net_phy *ordo_net_phy_new(const struct ordo_net_phy_options *options, int nodes, int links,
                                      const struct ordo_net_link *link, struct ordo_error *error);
void ordo_net_phy_free(struct ordo_net_phy *phy);

/** Runs until no more happens up to `end_fs`. ORDO_E_SYSTEM: out of memory. */
int ordo_net_phy_run(struct ordo_net_phy *phy, const struct ordo_net_phy_calls *calls, void *context, int64_t end_fs,
                     struct ordo_error *error);

/** Sends a word along a link, now. A channel that is cut loses it. */
void ordo_net_phy_send(struct ordo_net_phy *phy, int link, const struct ordo_net_word *word);

/** Calls `wake` at a true time that is not over. `node` and `token` are the caller's. */
void ordo_net_phy_wake(struct ordo_net_phy *phy, int64_t true_fs, int node, int token);

/** Cuts a channel, with all that is under way on it, or joins it again. */
void ordo_net_phy_cut(struct ordo_net_phy *phy, int channel);
void ordo_net_phy_join(struct ordo_net_phy *phy, int channel);
bool ordo_net_phy_is_cut(const struct ordo_net_phy *phy, int channel);

int64_t ordo_net_phy_now_fs(const struct ordo_net_phy *phy);
const struct ordo_net_link *ordo_net_phy_link(const struct ordo_net_phy *phy, int link);
int64_t ordo_net_phy_delay_fs(const struct ordo_net_phy *phy, int link);

/** A node's oscillator, which may be given another period before the run. */
struct ordo_net_oscillator *ordo_net_phy_oscillator(struct ordo_net_phy *phy, int node);

/** The same, nominal period and a rate in ppb of the true one, to the femtosecond. */
int64_t ordo_net_phy_period_fs(int64_t period_fs, double rate_ppb);

#endif
