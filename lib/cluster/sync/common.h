/* Remembers the bounds between ranks that verifications found. From two verifications with a time t between them, the
 * drift of any two ranks is at most (residual of the first + residual of the second) / t. This is far narrower than the
 * bound from a single verification, which lasts half a second. Two verifications must not contradict each other. Needs
 * no messages. */
#ifndef ORDO_CLUSTER_SYNC_COMMON_H
#define ORDO_CLUSTER_SYNC_COMMON_H

#include "cluster/sync/sync.h"

/** The time of a verification: CLOCK_MONOTONIC_RAW before its first exchange, and after its last exchange. */
struct ordo_verified_when {
    int64_t begin_ns, end_ns;
};

/** A remembered verification. */
struct ordo_common_mark {
    struct ordo_verified_when when;
    int64_t residual_ns;
};

/** The bounds between the ranks of a node, or of a socket. Nothing is known if the residual is -1 and all other members
 * are 0. */
struct ordo_common {
    int64_t residual_ns,
        drift_ppb; /* latest bounds on the difference and the drift of any two ranks; residual -1: unknown */
    struct ordo_verified_when when; /* all 0: the bounds were declared, not verified */
    int count;
    struct ordo_common_mark marks[2]; /* earlier verifications, the older first, at least a minute apart */
};

/** Stores the bounds of a verification as the latest, and keeps earlier verifications as marks. A residual of -1 means
 * that the verification found no common clock: everything is forgotten. If the ranks may run on other CPUs than before,
 * the caller must call ordo_common_forget first. */
void ordo_common_take(struct ordo_common *common, struct ordo_verified_when when, int64_t residual_ns,
                      int64_t drift_ppb);

/** Forgets all bounds. */
void ordo_common_forget(struct ordo_common *common);

/** Writes the bounds into the options of a synchronisation (`common_...`). Of all bounds on the drift, chooses the one
 * with the least error a minute from now, under the wander and skew that `options` declare. `now_ns` is the transport's
 * now_ns on this rank; `raw_ns` is CLOCK_MONOTONIC_RAW, read after now_ns. */
void ordo_common_tell(const struct ordo_common *common, int64_t now_ns, int64_t raw_ns,
                      struct ordo_sync_options *options);

/** The findings of one verification about the clocks of two ranks. At some time in the verification, offset >= low; at
 * some time, offset <= high. `drift` bounds averages of the drift in the verification in the same way. */
struct ordo_found {
    struct ordo_verified_when when;
    double low_ns, high_ns; /* infinite if unknown */
    struct ordo_drift drift;
};

/** Compares two verifications of the same two ranks, made while the ranks could use the same CPUs.
 * 0: the declared wander and skew in `options` can explain both
 * ORDO_E_MEASURE: the verifications contradict each other; the text has both offsets */
int ordo_common_agree(const struct ordo_found *before, const struct ordo_found *now,
                      const struct ordo_sync_options *options, struct ordo_error *error);

#endif
