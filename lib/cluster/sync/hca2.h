/* HCA2, which HCA refines. */
#ifndef ORDO_CLUSTER_SYNC_HCA2_H
#define ORDO_CLUSTER_SYNC_HCA2_H

#include "cluster/sync/sync.h"

/** A member's run (sync.h). */
int ordo_sync_hca2(struct ordo_transport *transport, const struct ordo_sync_options *options,
                   const struct ordo_sync_spec *spec, struct ordo_model *model, struct ordo_error *error);

#endif
