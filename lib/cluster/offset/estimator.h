/* Estimators of an offset from exchanges: pure functions, the registry of estimator/. They say what is likely; what is
 * certain comes from ordo_exchange_visit alone. */
#ifndef ORDO_CLUSTER_OFFSET_ESTIMATOR_H
#define ORDO_CLUSTER_OFFSET_ESTIMATOR_H

#include "cluster/offset/exchange.h"

/** client - reference when the client's clock showed at_ns. */
struct ordo_offset {
    int64_t at_ns, offset_ns;
};

struct ordo_offset_estimator {
    const char *name;  /* as on a command line */
    const char *title; /* one line for people */

    /** Exchanges that a pair makes once, before everything else, to learn its round trip; 0: it is not needed. */
    int rtt_exchanges;
    int64_t (*rtt_ns)(struct ordo_exchange *exchanges, int count);

    /** From `count` (positive) exchanges, which may be reordered, and the round trip. */
    struct ordo_offset (*estimate)(struct ordo_exchange *exchanges, int count, int64_t rtt_ns);
};

/** All estimators, ending with NULL; generated from the files of estimator/. */
extern const struct ordo_offset_estimator *const ordo_offset_estimators[];

/** The estimator of this name, or NULL. */
const struct ordo_offset_estimator *ordo_offset_estimator_find(const char *name);

#endif
