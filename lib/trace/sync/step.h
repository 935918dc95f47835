/* Finds a step of a clock that was set. The step is between two bounds of the offset that a clock of the declared skew
 * cannot both meet. */
#ifndef ORDO_TRACE_SYNC_STEP_H
#define ORDO_TRACE_SYNC_STEP_H

#include <stdbool.h>

#include "trace/sync/fix.h"

struct ordo_step {
    bool found;
    /* Readings of the clock, the lower reading first. A clock that was set back showed these times twice. */
    int64_t from_ns, to_ns;
    double by_ns; /* the least size of the step; negative if the clock was set back */
};

/** Finds the first step of a clock. `limit` is the largest rate of its offset, per ns. Bounds that contradict each
 * other by at most `slack_ns` are no step, because their readings were rounded. ORDO_E_SYSTEM: out of memory. */
int ordo_step_find(struct ordo_step *step, const struct ordo_fixes *fixes, double limit, double slack_ns,
                   struct ordo_error *error);

#endif
