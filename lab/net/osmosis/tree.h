/* Processes of OSMOSIS on channels of the physical layer: beacons, adverts, measured delays, and real-time registers.
 *
 * A process measures the delay of a channel as soon as the channel is joined: it sends a command that returns, and
 * takes half of the round trip (section 5). If a channel is longer in one direction, the delay is wrong by half the
 * difference, which no process can detect. A beacon carries the sender's register. The receiver adds the delay, loads
 * its own register, and forwards the beacon; until the next beacon it counts the recovered clock of its master.
 * Recovered clocks have no jitter of their own here; pll.h has the loops that recover them, and signal.h the symbols and
 * messages of a channel. */
#ifndef ORDO_LAB_NET_OSMOSIS_TREE_H
#define ORDO_LAB_NET_OSMOSIS_TREE_H

#include "lab/net/osmosis/process.h"
#include "lab/net/sim/phy.h"

struct ordo_net_osmosis_tree_options {
    struct ordo_net_phy_options phy;
    int64_t beacon_fs; /* time from one beacon to the next */
    int64_t phase_fs;  /* the step of the measured round trip; positive */
    bool joining;      /* sub-domains without a reference join (process.h, T5) */
};

struct ordo_net_osmosis_tree;

struct ordo_net_osmosis_calls {
    /** Called for an alarm of the caller. */
    void (*wake)(void *context, struct ordo_net_osmosis_tree *tree, int token);
    /** Called after a process has heard a beacon or changed its advert; may be NULL. */
    void (*change)(void *context, const struct ordo_net_osmosis_tree *tree, int node);
};

/** Makes a tree; the links are as for ordo_net_phy_new. Process 0 has the reference. Returns NULL if out of memory. */
struct ordo_net_osmosis_tree *ordo_net_osmosis_tree_new(const struct ordo_net_osmosis_tree_options *options, int nodes,
                                                        int links, const struct ordo_net_link *link,
                                                        struct ordo_error *error);
void ordo_net_osmosis_tree_free(struct ordo_net_osmosis_tree *tree);

/** Runs the tree from the beginning to `end_fs`. Call once. ORDO_E_SYSTEM: out of memory. */
int ordo_net_osmosis_tree_run(struct ordo_net_osmosis_tree *tree, const struct ordo_net_osmosis_calls *calls,
                              void *context, int64_t end_fs, struct ordo_error *error);

/** Sets an alarm at a true time. */
void ordo_net_osmosis_tree_wake(struct ordo_net_osmosis_tree *tree, int64_t true_fs, int token);

/** Cuts a channel; both of its ends notice this at once. ordo_net_osmosis_tree_join joins the channel again. */
void ordo_net_osmosis_tree_cut(struct ordo_net_osmosis_tree *tree, int channel);
void ordo_net_osmosis_tree_join(struct ordo_net_osmosis_tree *tree, int channel);

int64_t ordo_net_osmosis_tree_now_fs(const struct ordo_net_osmosis_tree *tree);
const struct ordo_net_osmosis_process *ordo_net_osmosis_tree_process(const struct ordo_net_osmosis_tree *tree,
                                                                     int node);

/** Returns the process that `node` follows; -1: it has no master. */
int ordo_net_osmosis_tree_master(const struct ordo_net_osmosis_tree *tree, int node);

/** Returns the present value of a real-time register, in fs. */
int64_t ordo_net_osmosis_tree_register_fs(const struct ordo_net_osmosis_tree *tree, int node);

#endif
