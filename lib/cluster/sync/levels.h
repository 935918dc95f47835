/* Runs one algorithm for each level of a hierarchy: nodes, sockets, ranks (HlHCA; Hunold and Carpen-Amarie, CLUSTER
 * 2018, section IV). */
#ifndef ORDO_CLUSTER_SYNC_LEVELS_H
#define ORDO_CLUSTER_SYNC_LEVELS_H

#include "cluster/sync/sync.h"

/** Synchronises the first ranks of all nodes by options->inter. Then synchronises the other ranks of each node:
 * without `sockets`: by options->intra
 * with `sockets`: the first ranks of the node's sockets by options->socket, and the ranks of each socket by
 *     options->intra */
int ordo_sync_levels(struct ordo_transport *transport, const struct ordo_sync_options *options, bool sockets,
                     struct ordo_model *model, struct ordo_error *error);

#endif
