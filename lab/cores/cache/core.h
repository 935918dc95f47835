/* The copies in L1 and L2 of one core. L2 includes L1, and its tag has the core's permission for the line; the tag in
 * L1 always has the same. */
#ifndef ORDO_LAB_CORES_CACHE_CORE_H
#define ORDO_LAB_CORES_CACHE_CORE_H

#include "lab/cores/cache/caches.h"

/** Returns the core's permission for a line. */
enum cores_copy cores_core_copy(const struct cores_caches *caches, int core, uint64_t line);

/** Changes the permission for a line of which the core has a copy. */
void cores_core_change(struct cores_caches *caches, int core, uint64_t line, enum cores_copy copy);

/** Takes the core's copy away. */
void cores_core_drop(struct cores_caches *caches, int core, uint64_t line);

/** Gives the core a copy of a line. Returns the tag that had to leave L2 (and has left L1), or 0. */
uint64_t cores_core_take(struct cores_caches *caches, int core, uint64_t line, enum cores_copy copy);

#endif
