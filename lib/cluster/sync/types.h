/* The options of a synchronisation, and the interface of an algorithm. */
#ifndef ORDO_CLUSTER_SYNC_TYPES_H
#define ORDO_CLUSTER_SYNC_TYPES_H

#include "cluster/sync/model.h"
#include "cluster/transport/transport.h"

struct ordo_sync_algorithm;

/** The algorithm and the parameters for one level of a cluster. */
struct ordo_sync_spec {
    const struct ordo_sync_algorithm *algorithm;
    const struct ordo_offset_estimator *offset;
    int fit;                  /* number of measurements of the offset for one model */
    int pingpong;             /* number of exchanges for one measurement */
    int64_t window_ns;        /* the measurements are spread over at least this time; 0: no pauses */
    bool recompute_intercept; /* true: one more measurement after these gives the offset */
};

struct ordo_sync_options {
    struct ordo_sync_spec main;   /* the algorithm to run */
    struct ordo_sync_spec inter;  /* level between nodes, of h2hca and h3hca */
    struct ordo_sync_spec socket; /* level between the sockets of a node, of h3hca */
    struct ordo_sync_spec intra;  /* level within a node (h2hca) or a socket (h3hca) */
    double max_wander_ppb;        /* declared wander of a clock within a minute (model.h) */
    double late_wander_ppb;       /* declared wander of a clock from an hour on, if larger */
    double max_skew_ppb;          /* declared bound on |rate - 1| of a clock */

    /** The last verification of this rank's node or socket (ordo_sync_copies says which):
     * common_residual_ns: bound on the difference of the clocks of any two ranks; negative: unverified or refuted
     * common_drift_ppb: bound on their drift
     * common_at_ns: time of the verification on this rank's clock, where the age of a copied model begins
     * common_since_ns: begin of the period in which the drift was observed, at or before common_at_ns */
    int64_t common_residual_ns;
    double common_drift_ppb;
    int64_t common_at_ns, common_since_ns;
    bool fallback; /* true: if ranks are not verified, clockprop runs HCA3 instead of refusing */
};

struct ordo_sync_algorithm {
    const char *name;  /* name for a command line */
    const char *title; /* description in one line, for people */
    bool composed;     /* true: runs other algorithms for the levels inter, socket, intra */
    bool copies;       /* true: copies models between ranks, which must be verified to read one clock */
    bool tree;         /* true: a model depends on the parent's model, and ordo_tree_narrow narrows the offsets */

    /** Collective: sets `*model` to the model of this rank's clock against that of rank 0; rank 0 gets the exact model
     * of itself. If a measurement fails, fills `error`, leaves the model unknown, and still exchanges all messages, so
     * that no rank waits for ever. A negative code means that the transport failed. */
    int (*run)(struct ordo_transport *transport, const struct ordo_sync_options *options,
               const struct ordo_sync_spec *spec, struct ordo_model *model, struct ordo_error *error);
};

#endif
