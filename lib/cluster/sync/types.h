/* What a synchronisation is asked for, and what an algorithm is. */
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
    int64_t window_ns;        /* they are spread over at least this time; 0: back to back */
    bool recompute_intercept; /* one more measurement, after the fit, gives the offset */
};

struct ordo_sync_options {
    struct ordo_sync_spec main;   /* what to run */
    struct ordo_sync_spec inter;  /* with h2hca and h3hca: between nodes, */
    struct ordo_sync_spec socket; /* h3hca: between the sockets of a node, */
    struct ordo_sync_spec intra;  /* and within a node (h2hca) or a socket (h3hca) */
    double max_wander_ppb;        /* see model.h; declared, not measured, */
    double late_wander_ppb;       /* where it is larger, */
    double max_skew_ppb;          /* the same */

    /** Of this rank's node, or socket (ordo_sync_copies): by how much its ranks' readings of the clock may differ, as
     * verified in this run; negative where it was not verified, or refuted. How fast they may drift apart, by the same
     * measurement, and when that was, on this rank's clock: a copy ages from then on. The drift may have been observed
     * since earlier. */
    int64_t common_residual_ns;
    double common_drift_ppb;
    int64_t common_at_ns, common_since_ns;
    bool fallback; /* where not verified, propagation measures (HCA3) instead of refusing */
};

struct ordo_sync_algorithm {
    const char *name;  /* as on a command line */
    const char *title; /* one line for people */
    bool composed;     /* of the levels inter, socket, intra */
    bool copies;       /* models from rank to rank: only for ranks that were verified to read one clock */
    bool tree;         /* models rest on those of parents: one more pass of offsets narrows them */

    /** Collective. Each rank's `*model` becomes its clock against that of rank 0, whose own is exact. A measurement
     * that fails fills `error`, leaves the model unknown and goes on, so that nobody waits for ever; a negative code
     * means that the transport itself failed. */
    int (*run)(struct ordo_transport *transport, const struct ordo_sync_options *options,
               const struct ordo_sync_spec *spec, struct ordo_model *model, struct ordo_error *error);
};

#endif
