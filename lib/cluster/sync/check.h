/* Check-Global-Clock (Hunold and Carpen-Amarie, CLUSTER 2018, Algorithm 6): rank 0 measures the global clocks of other
 * ranks against its own, and compares each with the bounds of its model. */
#ifndef ORDO_CLUSTER_SYNC_CHECK_H
#define ORDO_CLUSTER_SYNC_CHECK_H

#include "cluster/sync/sync.h"

/** Collective, with the same arguments on all ranks but for `model`, `track` and the last three. Measures each rank in
 * turn; if `percent` < 100, only this share of them, at least one, picked by `seed`. On rank 0 the results, in order of
 * rank, go into `checks` (room for size - 1) and `count`; other ranks may pass NULL. The exchanges of a rank that was
 * not synchronised claim nothing and cannot fail. If a measured rank has a `track` (else NULL) and is not refuted, its
 * model is narrowed by the measurement and taken into the track. Returns 0, or ORDO_E_SYSTEM. */
int ordo_sync_check(struct ordo_transport *transport, struct ordo_model *model, struct ordo_offset_track *track,
                    int pingpong, int percent, uint64_t seed, struct ordo_global_check *checks, int *count);

#endif
