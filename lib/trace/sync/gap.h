/* A likely line between bounds of an offset. */
#ifndef ORDO_TRACE_SYNC_GAP_H
#define ORDO_TRACE_SYNC_GAP_H

#include "trace/sync/fix.h"

/** A line: the offset is base_ns + height_ns when the clock shows at_ns, and changes by `slope` per ns. */
struct ordo_gap {
    int64_t at_ns, base_ns;
    double height_ns, slope;
    double width_ns; /* the vertical distance between the bounds above and those below; negative: they overlap */
};

/** Finds the line in the middle of the widest gap between the upper bounds `high` and the lower bounds `low`, of which
 * there is at least one each, among the slopes up to `limit`. */
struct ordo_gap ordo_gap_find(const struct ordo_likely *high, int highs, const struct ordo_likely *low, int lows,
                              double limit);

#endif
