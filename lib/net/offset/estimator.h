/* Estimators of an edge's offset. An estimate is only likely; hull.h gives certain bounds, which do not depend on the
 * estimator. */
#ifndef ORDO_NET_OFFSET_ESTIMATOR_H
#define ORDO_NET_OFFSET_ESTIMATOR_H

#include "net/offset/hull.h"

struct ordo_net_offset_estimator {
    const char *name, *title;
    /** Estimates the offset as a line. `line->at_ps` is given. Each direction must have at least one point. A pure
     * function. False if out of memory. */
    bool (*estimate)(const struct ordo_net_samples *samples, const struct ordo_net_hulls *hulls,
                     struct ordo_net_line *line);
};

/** All estimators, ending with NULL; generated from the files of estimator/. */
extern const struct ordo_net_offset_estimator *const ordo_net_offset_estimators[];

/** Returns the estimator of this name, or NULL. */
const struct ordo_net_offset_estimator *ordo_net_offset_estimator_find(const char *name);

#endif
