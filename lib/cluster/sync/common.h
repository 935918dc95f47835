/* The bounds that verifications found between ranks, remembered from one verification to the next. Two verifications
 * some time apart bound the drift of any two ranks by the widths of both over that time, far more narrowly than one
 * that lasts half a second; and the two must agree. Local arithmetic, without a message. */
#ifndef ORDO_CLUSTER_SYNC_COMMON_H
#define ORDO_CLUSTER_SYNC_COMMON_H

#include "cluster/sync/sync.h"

/** The time of a verification: CLOCK_MONOTONIC_RAW before its first exchange, and after its last. */
struct ordo_verified_when {
    int64_t begin_ns, end_ns;
};

/** An earlier verification. */
struct ordo_common_mark {
    struct ordo_verified_when when;
    int64_t residual_ns;
};

/** The bounds between the ranks of a node, or of a socket. Unknown if all members are zero but a residual of -1. */
struct ordo_common {
    int64_t residual_ns, drift_ppb; /* the latest: no two ranks differ by more, or drift faster; residual -1: unknown */
    struct ordo_verified_when when; /* 0: never verified, only declared */
    int count;
    struct ordo_common_mark marks[2]; /* earlier ones, the older first; a minute apart or more */
};

/** Makes this verification the latest. Earlier ones are remembered, unless one of them found no common clock. A
 * residual of -1 forgets all. If the ranks may run on other CPUs than before, the caller must call ordo_common_forget
 * first. */
void ordo_common_take(struct ordo_common *common, struct ordo_verified_when when, int64_t residual_ns,
                      int64_t drift_ppb);

/** Forgets all bounds. */
void ordo_common_forget(struct ordo_common *common);

/** Writes the bounds into the options of a synchronisation, with the drift that gives the least error a minute from
 * now. `now_ns` is the transport's now_ns on this rank; `raw_ns` is CLOCK_MONOTONIC_RAW, read after it. Reads the
 * declared wander and skew from the options. */
void ordo_common_tell(const struct ordo_common *common, int64_t now_ns, int64_t raw_ns,
                      struct ordo_sync_options *options);

/** The findings of one verification about the clocks of two ranks: the offset was at some time not below low, and at
 * some time not above high. The drift likewise, as an average over some time. */
struct ordo_found {
    struct ordo_verified_when when;
    double low_ns, high_ns; /* infinite if unknown */
    struct ordo_drift drift;
};

/** ORDO_E_MEASURE: two verifications of two ranks, on the same CPUs, contradict each other under the declarations in
 * `options`; the text has both offsets. */
int ordo_common_agree(const struct ordo_found *before, const struct ordo_found *now,
                      const struct ordo_sync_options *options, struct ordo_error *error);

#endif
