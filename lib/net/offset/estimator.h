/* Estimators of an edge's offset. An estimate says what is likely; hull.h gives the certain bounds for all of them. */
#ifndef ORDO_NET_OFFSET_ESTIMATOR_H
#define ORDO_NET_OFFSET_ESTIMATOR_H

#include "net/offset/hull.h"

struct ordo_net_offset_estimator {
    const char *name, *title;
    /** A pure function: finds the line of the offset, at `line->at_ps`. Each direction must have at least one point.
     * False if out of memory. */
    bool (*estimate)(const struct ordo_net_samples *samples, const struct ordo_net_hulls *hulls,
                     struct ordo_net_line *line);
};

/** All estimators, ending with NULL; generated from the files of estimator/. */
extern const struct ordo_net_offset_estimator *const ordo_net_offset_estimators[];

/** Returns the estimator of this name, or NULL. */
const struct ordo_net_offset_estimator *ordo_net_offset_estimator_find(const char *name);

#endif
