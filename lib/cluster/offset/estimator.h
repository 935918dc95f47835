/* Estimators of an offset from exchanges: pure functions, one in each file of estimator/. An estimate is only likely;
 * ordo_exchange_visit gives certain bounds. */
#ifndef ORDO_CLUSTER_OFFSET_ESTIMATOR_H
#define ORDO_CLUSTER_OFFSET_ESTIMATOR_H

#include "cluster/offset/exchange.h"

/** An estimate of client - reference when the client's clock showed at_ns. */
struct ordo_offset {
    int64_t at_ns, offset_ns;
};

struct ordo_offset_estimator {
    const char *name;  /* name for a command line */
    const char *title; /* description in one line, for people */

    /** Number of exchanges that a pair makes once, before its first measurement, to learn its round trip. 0: the
     * estimator needs no round trip. */
    int rtt_exchanges;
    int64_t (*rtt_ns)(struct ordo_exchange *exchanges, int count);

    /** Estimates the offset from `count` (positive) exchanges and the round trip. May reorder the exchanges. */
    struct ordo_offset (*estimate)(struct ordo_exchange *exchanges, int count, int64_t rtt_ns);
};

/** All estimators, ending with NULL; generated from the files of estimator/. */
extern const struct ordo_offset_estimator *const ordo_offset_estimators[];

/** Returns the estimator of this name, or NULL. */
const struct ordo_offset_estimator *ordo_offset_estimator_find(const char *name);

#endif
