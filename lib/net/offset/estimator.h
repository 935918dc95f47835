/* Estimators of an edge's offset: what is likely. What is certain comes from hull.h, for all of them. */
#ifndef ORDO_NET_OFFSET_ESTIMATOR_H
#define ORDO_NET_OFFSET_ESTIMATOR_H

#include "net/offset/hull.h"

struct ordo_net_offset_estimator {
    const char *name, *title;
    /** A pure function: the line through the offset, told at `line->at_ps`. Each direction has at least one point. False where
     * memory ran out. */
    bool (*estimate)(const struct ordo_net_samples *samples, const struct ordo_net_hulls *hulls,
                     struct ordo_net_line *line);
};

/** Generated from the files of estimator/, ending with NULL. */
extern const struct ordo_net_offset_estimator *const ordo_net_offset_estimators[];

/** NULL: none of that name. */
const struct ordo_net_offset_estimator *ordo_net_offset_estimator_find(const char *name);

#endif
