/* The L3 caches: one for each cluster. An L3 takes the lines that leave the L2 caches of its cluster, and the lines
 * that cores of its cluster share. It is neither inclusive nor exclusive. A tag is the number of the line and its
 * version: an exclusive copy makes all tags of the line invalid at once, because it changes the version. */
#ifndef ORDO_LAB_CORES_CACHE_SHELF_H
#define ORDO_LAB_CORES_CACHE_SHELF_H

#include "lab/cores/cache/caches.h"

/** True if the L3 of the cluster has the line; the line is then its most recent one. */
bool cores_shelf_have(struct cores_caches *caches, int cluster, uint32_t number);

/** Puts a line into the L3 of a cluster, if there are L3 caches. `modified`: memory's is old. Counts the data written
 * back, also those of a modified victim. */
void cores_shelf_put(struct cores_caches *caches, int cluster, uint32_t number, bool modified);

/** Makes all copies in L3 caches invalid. */
void cores_shelf_drop(struct cores_caches *caches, uint32_t number);

#endif
