/* HCA2 as a function, because HCA begins with it. */
#ifndef ORDO_CLUSTER_SYNC_HCA2_H
#define ORDO_CLUSTER_SYNC_HCA2_H

#include "cluster/sync/sync.h"

/** Runs HCA2. Contract: `run` of struct ordo_sync_algorithm (types.h). */
int ordo_sync_hca2(struct ordo_transport *transport, const struct ordo_sync_options *options,
                   const struct ordo_sync_spec *spec, struct ordo_model *model, struct ordo_error *error);

#endif
