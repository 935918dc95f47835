/* Processes of OSMOSIS on channels of the physical layer: beacons, adverts, delays that are measured, and real-time registers.
 *
 * A process measures the delay of a channel as soon as that is joined: it sends a command there and back, and takes half (section 5). A
 * channel that is longer in one direction is mismeasured by half the difference, and nobody notices. A beacon carries the
 * sender's register; the receiver adds the delay and loads its own, sends it on, and until the next beacon counts the clock that it
 * recovers, which is that of its master. Recovered clocks have no jitter of their own here. */
#ifndef ORDO_LAB_NET_OSMOSIS_TREE_H
#define ORDO_LAB_NET_OSMOSIS_TREE_H

#include "lab/net/osmosis/process.h"
#include "lab/net/sim/phy.h"

struct ordo_net_osmosis_tree_options {
    struct ordo_net_phy_options phy;
    int64_t beacon_fs; /* from one beacon to the next */
    int64_t phase_fs;  /* the step of the measured delay there and back; positive */
};

struct ordo_net_osmosis_tree;

struct ordo_net_osmosis_calls {
    /** An alarm of the caller. */
    void (*wake)(void *context, struct ordo_net_osmosis_tree *tree, int token);
    /** A process heard a beacon, or says something else; NULL: nobody wants to know. */
    void (*change)(void *context, const struct ordo_net_osmosis_tree *tree, int node);
};

/** Links as with ordo_net_phy_new. Process 0 has the reference. NULL: out of memory. */
struct ordo_net_osmosis_tree *ordo_net_osmosis_tree_new(const struct ordo_net_osmosis_tree_options *options, int nodes,
                                                        int links, const struct ordo_net_link *link,
                                                        struct ordo_error *error);
void ordo_net_osmosis_tree_free(struct ordo_net_osmosis_tree *tree);

/** Runs it from the beginning to `end_fs`; once. ORDO_E_SYSTEM: out of memory. */
int ordo_net_osmosis_tree_run(struct ordo_net_osmosis_tree *tree, const struct ordo_net_osmosis_calls *calls,
                              void *context, int64_t end_fs, struct ordo_error *error);

/** An alarm at a true time. */
void ordo_net_osmosis_tree_wake(struct ordo_net_osmosis_tree *tree, int64_t true_fs, int token);

/** A channel is lost, which both of its ends notice at once, or comes back. */
void ordo_net_osmosis_tree_cut(struct ordo_net_osmosis_tree *tree, int channel);
void ordo_net_osmosis_tree_join(struct ordo_net_osmosis_tree *tree, int channel);

int64_t ordo_net_osmosis_tree_now_fs(const struct ordo_net_osmosis_tree *tree);
const struct ordo_net_osmosis_process *ordo_net_osmosis_tree_process(const struct ordo_net_osmosis_tree *tree,
                                                                     int node);

/** Who `node` follows; -1: it is a master. */
int ordo_net_osmosis_tree_master(const struct ordo_net_osmosis_tree *tree, int node);

/** What a real-time register shows now, in fs. */
int64_t ordo_net_osmosis_tree_register_fs(const struct ordo_net_osmosis_tree *tree, int node);

#endif
