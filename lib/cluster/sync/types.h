/* The options of a synchronisation, and the interface of an algorithm. */
#ifndef ORDO_CLUSTER_SYNC_TYPES_H
#define ORDO_CLUSTER_SYNC_TYPES_H

#include "cluster/sync/model.h"
#include "cluster/transport/transport.h"

struct ordo_sync_algorithm;

/** How one level of a cluster is synchronised. */
struct ordo_sync_spec {
    const struct ordo_sync_algorithm *algorithm;
    const struct ordo_offset_estimator *offset;
    int fit;                  /* measurements of the offset for one model */
    int pingpong;             /* exchanges for one measurement */
    int64_t window_ns;        /* these are spread over at least this time; 0: back to back */
    bool recompute_intercept; /* one more measurement, after the fit, gives the offset */
};

struct ordo_sync_options {
    struct ordo_sync_spec main;   /* the algorithm to run */
    struct ordo_sync_spec inter;  /* with h2hca and h3hca: between nodes, */
    struct ordo_sync_spec socket; /* h3hca: between the sockets of a node, */
    struct ordo_sync_spec intra;  /* and within a node (h2hca) or a socket (h3hca) */
    double max_wander_ppb;        /* see model.h; declared, not measured: within a minute, */
    double late_wander_ppb;       /* from an hour on, if larger, */
    double max_skew_ppb;          /* and the distance of a clock's rate from 1 */

    /** The verification of this rank's node, or socket (ordo_sync_copies), in this run: a bound on the difference of
     * its ranks' readings of the clock (negative: unverified or refuted), a bound on their drift, and the verification's
     * time on this rank's clock, from which the age of a copy counts. The drift may have been observed since an earlier
     * time. */
    int64_t common_residual_ns;
    double common_drift_ppb;
    int64_t common_at_ns, common_since_ns;
    bool fallback; /* if not verified, propagation measures (HCA3) instead of refusing */
};

struct ordo_sync_algorithm {
    const char *name;  /* as given on a command line */
    const char *title; /* one line for people */
    bool composed;     /* of the levels inter, socket, intra */
    bool copies;       /* copies models from rank to rank: only for ranks that are verified to read one clock */
    bool tree;         /* models depend on those of parents: one more pass of offsets narrows them */

    /** Collective. Each rank's `*model` becomes its clock against that of rank 0, whose own model is exact. A
     * measurement that fails fills `error`, leaves the model unknown and goes on, so that no rank waits for ever. A
     * negative code means that the transport itself failed. */
    int (*run)(struct ordo_transport *transport, const struct ordo_sync_options *options,
               const struct ordo_sync_spec *spec, struct ordo_model *model, struct ordo_error *error);
};

#endif
