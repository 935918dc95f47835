/* A likely offset from many uncertain ones. */
#ifndef ORDO_TRACE_SYNC_LIKELY_H
#define ORDO_TRACE_SYNC_LIKELY_H

#include "trace/sync/fix.h"

struct ordo_guess {
    double offset_ns; /* relative to the base of the caller */
    double spread_ns; /* the median distance of the samples from the line through them */
};

/** Estimates the offset when the clock shows at_ns from the samples near this time, of which there is at least one. The
 * samples are in the order of times. A minority of samples that are far off changes little. */
struct ordo_guess ordo_likely_at(const struct ordo_likely *all, int count, int64_t at_ns, int64_t base_ns);

#endif
