/* Runs one algorithm on top of another (HlHCA; Hunold and Carpen-Amarie, CLUSTER 2018, section IV). */
#ifndef ORDO_CLUSTER_SYNC_LEVELS_H
#define ORDO_CLUSTER_SYNC_LEVELS_H

#include "cluster/sync/sync.h"

/** Synchronises the first ranks of all nodes by options->inter, then the others from them. Within a node by intra; with
 * `sockets`, the first ranks of a node's sockets by socket, and the ranks of a socket by intra. */
int ordo_sync_levels(struct ordo_transport *transport, const struct ordo_sync_options *options, bool sockets,
                     struct ordo_model *model, struct ordo_error *error);

#endif
