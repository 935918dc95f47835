/* The physical layer of a network: nodes (switches as well as hosts) that count ticks, and channels between neighbours.
 *
 * Time is an integer in fs everywhere; a run is deterministic for a seed. A word travels along one link in a constant
 * time, independent of packets. If clock domains are crossed, the receiver gets the word at its first or its second
 * tick after the word came, with equal probability, like a synchroniser of two flip-flops. */
#ifndef ORDO_LAB_NET_SIM_PHY_H
#define ORDO_LAB_NET_SIM_PHY_H

#include <stdbool.h>

#include "base/error.h"
#include "lab/net/sim/oscillator.h"
#include "lab/net/sim/shape.h"

struct ordo_net_phy_options {
    int64_t period_fs;              /* nominal length of a tick */
    double skew_ppb;                /* each oscillator's rate is uniform within 1 +- skew_ppb, without wander */
    int64_t delay_fs, asymmetry_fs; /* each direction of a channel takes from delay_fs to delay_fs + asymmetry_fs */
    bool crossing;                  /* words cross clock domains */
    uint64_t seed;
};

/** A message to a neighbour. */
struct ordo_net_word {
    int kind;
    int64_t values[12];
};

struct ordo_net_phy;

/** The functions of the nodes. All are called in the order of true time. */
struct ordo_net_phy_calls {
    /** Called when a word has come along a link; the node is the link's `to`. */
    void (*arrive)(void *context, struct ordo_net_phy *phy, int link, const struct ordo_net_word *word);
    /** Called for an alarm that was set by ordo_net_phy_wake. */
    void (*wake)(void *context, struct ordo_net_phy *phy, int node, int token);
};

/** Makes a physical layer. Copies the links, which come in pairs: 2 i and 2 i + 1 are the directions of channel i.
 * Returns NULL if out of memory. */
struct ordo_net_phy *ordo_net_phy_new(const struct ordo_net_phy_options *options, int nodes, int links,
                                      const struct ordo_net_link *link, struct ordo_error *error);
void ordo_net_phy_free(struct ordo_net_phy *phy);

/** Runs all events up to `end_fs`. ORDO_E_SYSTEM: out of memory. */
int ordo_net_phy_run(struct ordo_net_phy *phy, const struct ordo_net_phy_calls *calls, void *context, int64_t end_fs,
                     struct ordo_error *error);

/** Sends a word along a link, now. A channel that is cut loses the word. */
void ordo_net_phy_send(struct ordo_net_phy *phy, int link, const struct ordo_net_word *word);

/** Calls `wake` at a true time, which must not be in the past. The caller chooses `node` and `token`. */
void ordo_net_phy_wake(struct ordo_net_phy *phy, int64_t true_fs, int node, int token);

/** Cuts a channel; the words that are under way on it are lost. ordo_net_phy_join joins the channel again. */
void ordo_net_phy_cut(struct ordo_net_phy *phy, int channel);
void ordo_net_phy_join(struct ordo_net_phy *phy, int channel);
bool ordo_net_phy_is_cut(const struct ordo_net_phy *phy, int channel);

int64_t ordo_net_phy_now_fs(const struct ordo_net_phy *phy);
const struct ordo_net_link *ordo_net_phy_link(const struct ordo_net_phy *phy, int link);
int64_t ordo_net_phy_delay_fs(const struct ordo_net_phy *phy, int link);

/** Returns a node's oscillator; the caller may change its period before the run. */
struct ordo_net_oscillator *ordo_net_phy_oscillator(struct ordo_net_phy *phy, int node);

/** Returns the period of an oscillator whose rate differs from the nominal rate by rate_ppb, rounded to the
 * femtosecond. */
int64_t ordo_net_phy_period_fs(int64_t period_fs, double rate_ppb);

#endif
