/* H3HCA (Hunold and Carpen-Amarie, CLUSTER 2018, section IV-D): synchronises the nodes, then the sockets of each node,
 * then the ranks of each socket. */
#include "cluster/sync/levels.h"

static int run_h3hca(struct ordo_transport *transport, const struct ordo_sync_options *options,
                     const struct ordo_sync_spec *spec, struct ordo_model *model, struct ordo_error *error)
{
    (void)spec;
    return ordo_sync_levels(transport, options, true, model, error);
}

const struct ordo_sync_algorithm ordo_sync_algorithm_h3hca = {
    .name = "h3hca", .title = "between nodes, then sockets, then within each", .composed = true, .run = run_h3hca};
