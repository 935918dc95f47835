/* Computes a verdict from the visits of a measurement: whether the ranks of a node read one clock. The verdict is
 * INVALID only if this is proved. */
#ifndef ORDO_CLUSTER_VERIFY_VERDICT_H
#define ORDO_CLUSTER_VERIFY_VERDICT_H

#include "cluster/verify/node.h"

/** The kinds of verdict, from the best to the worst. */
enum ordo_verdict_kind { ORDO_VALID, ORDO_INCONCLUSIVE, ORDO_INVALID };

/** Returns "VALID", "INCONCLUSIVE" or "INVALID". */
const char *ordo_verdict_name(enum ordo_verdict_kind kind);

/** The reasons of a verdict, as bits. Reasons up to ORDO_REASON_SWEEP are proofs against the clock. */
enum ordo_reason {
    ORDO_REASON_OFFSET = 1,      /* an offset interval excludes 0 */
    ORDO_REASON_DRIFT = 2,       /* a drift interval excludes 0 */
    ORDO_REASON_BENDS = 4,       /* no constant drift fits: a clock steps or bends */
    ORDO_REASON_BACKWARDS = 8,   /* a rank saw its own clock run backwards; the verdict then has no other reason */
    ORDO_REASON_WARP = 16,       /* a rank read a lower value than another rank had read before */
    ORDO_REASON_SWEEP = 32,      /* the clocks of two CPUs that ranks may migrate to differ */
    ORDO_REASON_WIDE = 64,       /* nothing is proved, and the residual is above the tolerance */
    ORDO_REASON_UNSHARED = 128,  /* the ranks of the node have no shared memory */
    ORDO_REASON_SILENT = 256,    /* a rank did not answer */
    ORDO_REASON_REJECTED = 1024, /* the kernel saw a fault of the clock, or the processor promises no constant rate */
    ORDO_REASON_UNSWEPT = 512 /* a rank could not be bound to the CPUs that it may migrate to, or these are unknown */
};

/** The bounds between two ranks of the node, or between two CPUs, in units of the clock. The offset is b minus a. */
struct ordo_verdict_pair {
    unsigned a, b;
    struct ordo_interval offset; /* intersection over all rounds; if empty, because the offset changed: the interval of
                                  * the last round */
    struct ordo_drift drift;
    int64_t certified_units; /* bound on |offset|, for every round */
};

struct ordo_verdict {
    enum ordo_verdict_kind kind;
    unsigned reasons;
    int64_t granule_units;
    int64_t residual_units;         /* bound on the difference of any two ranks' clocks; INT64_MAX: unbounded */
    struct ordo_verdict_pair worst; /* worst pair of the node's lowest rank and another; offset [0, 0] for one rank */
    struct ordo_drift drift;        /* bounds on the drift of every pair */
    struct ordo_node_warp warp;     /* worst steps of all ranks */
    int warp_rank;
};

/** Returns the bounds that the visits of two ranks prove. Assumes that a reading lags its clock by at most the
 * granule. */
struct ordo_verdict_pair ordo_verdict_of_visits(const struct ordo_visit *visits, int count, int64_t granule_units);

/** Returns the verdict on one clock of a finished measurement. If nothing is proved, but the residual is above
 * `tolerance_units` plus the clock's granule, the verdict is inconclusive. Writes all pairs of ranks to `pairs`, and
 * all pairs of CPUs to `sweeps`; both may be NULL. */
struct ordo_verdict ordo_verdict_reach(const struct ordo_node_plan *plan, const void *segment, int clock,
                                       int64_t tolerance_units, struct ordo_verdict_pair *pairs,
                                       struct ordo_verdict_pair *sweeps);

/** Returns the largest |drift| of an interval, in ppb; 1e9 if the interval is wider or unbounded. */
double ordo_drift_most_ppb(struct ordo_drift drift);

/** True if nothing is proved against this pair, and its bound on |offset| is at most granule + tolerance. */
bool ordo_verdict_agrees(const struct ordo_verdict_pair *pair, int64_t granule_units, int64_t tolerance_units);

/** Returns the verdict if nothing could be measured; `reason` says why. */
struct ordo_verdict ordo_verdict_none(enum ordo_reason reason);

#endif
