/* A likely offset of a rank from collectives in which not all ranks wait for all. */
#ifndef ORDO_TRACE_CORRECT_ROOTED_H
#define ORDO_TRACE_CORRECT_ROOTED_H

#include "trace/correct/collectives.h"

/** Estimates the offset of a rank from its calls with ranks whose clocks are known, if they bound the offset from both
 * sides. The caller frees *likely. Returns the number of samples; 0: one side is open; -1: out of memory. */
int ordo_rooted_likely(const struct ordo_collectives *all, struct ordo_clocks *clocks, int32_t rank,
                       const struct ordo_declared *declared, struct ordo_likely **likely);

#endif
