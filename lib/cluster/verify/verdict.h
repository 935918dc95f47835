/* From exchanges to a verdict: do the ranks of a node share one clock? INVALID is returned only if it is proved. */
#ifndef ORDO_CLUSTER_VERIFY_VERDICT_H
#define ORDO_CLUSTER_VERIFY_VERDICT_H

#include "cluster/verify/node.h"

/** In the order of the weight against the clock. */
enum ordo_verdict_kind { ORDO_VALID, ORDO_INCONCLUSIVE, ORDO_INVALID };

/** "VALID", "INCONCLUSIVE", "INVALID". */
const char *ordo_verdict_name(enum ordo_verdict_kind kind);

/** The reasons of a verdict; bits. Those up to ORDO_REASON_SWEEP are proofs. */
enum ordo_reason {
    ORDO_REASON_OFFSET = 1,      /* an offset interval excludes 0 */
    ORDO_REASON_DRIFT = 2,       /* a drift interval excludes 0 */
    ORDO_REASON_BENDS = 4,       /* no constant drift fits: a clock steps or bends */
    ORDO_REASON_BACKWARDS = 8,   /* a rank saw its own clock run backwards; no other reason is given then */
    ORDO_REASON_WARP = 16,       /* a rank read less than another had read before */
    ORDO_REASON_SWEEP = 32,      /* the clock differs between CPUs that ranks may migrate to */
    ORDO_REASON_WIDE = 64,       /* nothing is proved, and the residual is above the tolerance */
    ORDO_REASON_UNSHARED = 128,  /* no shared memory */
    ORDO_REASON_SILENT = 256,    /* a rank did not answer */
    ORDO_REASON_REJECTED = 1024, /* the kernel saw a fault of the clock, or the processor promises no constant rate */
    ORDO_REASON_UNSWEPT = 512 /* a rank could not be bound to the CPUs that it may migrate to, or these are unknown */
};

/** Two ranks of the node, or two CPUs. In units of the clock; the offset is b minus a. */
struct ordo_verdict_pair {
    unsigned a, b;
    struct ordo_interval offset; /* the interval that holds in every round; that of the last round if the offset
                                  * moved */
    struct ordo_drift drift;
    int64_t certified_units; /* bound on |offset| in all rounds */
};

struct ordo_verdict {
    enum ordo_verdict_kind kind;
    unsigned reasons;
    int64_t granule_units;
    int64_t residual_units;         /* bound on the difference of any two ranks; INT64_MAX: unbounded */
    struct ordo_verdict_pair worst; /* of the pairs with the node's lowest rank; [0, 0] for a single rank */
    struct ordo_drift drift;        /* bounds the drift of all pairs */
    struct ordo_node_warp warp;     /* the worst of all ranks */
    int warp_rank;
};

/** Returns the bounds that the visits of two ranks prove, if each reading is true to within the granule. */
struct ordo_verdict_pair ordo_verdict_of_visits(const struct ordo_visit *visits, int count, int64_t granule_units);

/** Returns the verdict on one clock of a finished measurement. A residual above `tolerance_units` plus the clock's
 * granule makes it inconclusive. `pairs` (may be NULL) takes all pairs of ranks, `sweeps` all pairs of CPUs. */
struct ordo_verdict ordo_verdict_reach(const struct ordo_node_plan *plan, const void *segment, int clock,
                                       int64_t tolerance_units, struct ordo_verdict_pair *pairs,
                                       struct ordo_verdict_pair *sweeps);

/** Returns the largest |drift| of an interval, at most 1e9 (twice as fast), also if the interval is unbounded. */
double ordo_drift_most_ppb(struct ordo_drift drift);

/** True if nothing is proved against this pair, and its residual is within the granule and the tolerance. */
bool ordo_verdict_agrees(const struct ordo_verdict_pair *pair, int64_t granule_units, int64_t tolerance_units);

/** Returns the verdict if nothing could be measured, for this reason. */
struct ordo_verdict ordo_verdict_none(enum ordo_reason reason);

#endif
