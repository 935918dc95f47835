/* Check-Global-Clock (Hunold and Carpen-Amarie, CLUSTER 2018, Algorithm 6): rank 0 measures the global clocks of other
 * ranks against its own global clock. Each rank compares its measurement with the bounds of its model. */
#ifndef ORDO_CLUSTER_SYNC_CHECK_H
#define ORDO_CLUSTER_SYNC_CHECK_H

#include "cluster/sync/sync.h"

/** Collective: rank 0 measures the other ranks one after another; `pingpong`, `percent` and `seed` must be the same on
 * all ranks. Returns 0, or ORDO_E_SYSTEM.
 * percent: share of the ranks that are measured, at least one rank; `seed` picks them
 * checks, count: the results in the order of ranks; room for size - 1. Used on rank 0 only; other ranks may pass NULL.
 *     If a rank was not synchronised, it makes no claim, and its check cannot fail.
 * track: NULL, or memory of earlier offsets. If the rank is not refuted, the measurement narrows its model, and the
 *     track takes the model. */
int ordo_sync_check(struct ordo_transport *transport, struct ordo_model *model, struct ordo_offset_track *track,
                    int pingpong, int percent, uint64_t seed, struct ordo_global_check *checks, int *count);

#endif
