/* What ranks have in common, as verified, and what is remembered of it from one verification to the next. Two of them
 * some time apart bound how fast any two of the ranks drift by their widths over that time, far more narrowly than
 * one that lasts half a second; and what they say has to agree. Local arithmetic, without a message. */
#ifndef ORDO_CLUSTER_SYNC_COMMON_H
#define ORDO_CLUSTER_SYNC_COMMON_H

#include "cluster/sync/sync.h"

/** When a verification was made: CLOCK_MONOTONIC_RAW before its first exchange, and after its last. */
struct ordo_verified_when {
    int64_t begin_ns, end_ns;
};

/** An earlier verification. */
struct ordo_common_mark {
    struct ordo_verified_when when;
    int64_t residual_ns;
};

/** Of the ranks of a node, or of a socket. All zero but for a residual of -1: nothing is known. */
struct ordo_common {
    int64_t residual_ns, drift_ppb; /* the latest: no two ranks differ by more, nor drift faster; residual -1: none */
    struct ordo_verified_when when; /* 0: never, what is common is only declared */
    int count;
    struct ordo_common_mark marks[2]; /* before it, the older first; a minute apart or more */
};

/** Makes this verification the latest. Those before it are remembered, unless one of them found nothing in common. A
 * residual of -1: nothing is known any more. Where the ranks may run elsewhere than before, the caller forgets first.
 */
void ordo_common_take(struct ordo_common *common, struct ordo_verified_when when, int64_t residual_ns,
                      int64_t drift_ppb);

/** Nothing is known any more. */
void ordo_common_forget(struct ordo_common *common);

/** Tells a synchronisation what is common, with the drift that leaves least a minute from now; now is now_ns on this
 * rank's clock and raw_ns on CLOCK_MONOTONIC_RAW, which was read after it. What is declared is read from the options.
 */
void ordo_common_tell(const struct ordo_common *common, int64_t now_ns, int64_t raw_ns,
                      struct ordo_sync_options *options);

/** What one verification found out about the clocks of two ranks: at some time the offset was not below low, at some
 * time not above high, and the drift likewise, averaged over some time. */
struct ordo_found {
    struct ordo_verified_when when;
    double low_ns, high_ns; /* infinite where nothing is known */
    struct ordo_drift drift;
};

/** ORDO_E_MEASURE where two verifications of two ranks, on the same CPUs, contradict each other under what `options`
 * declare: the text says what was found. */
int ordo_common_agree(const struct ordo_found *before, const struct ordo_found *now,
                      const struct ordo_sync_options *options, struct ordo_error *error);

#endif
