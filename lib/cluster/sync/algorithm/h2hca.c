/* H2HCA (Hunold and Carpen-Amarie, CLUSTER 2018, Algorithm 4): synchronises one rank of each node, then the ranks of
 * each node. */
#include "cluster/sync/levels.h"

static int run_h2hca(struct ordo_transport *transport, const struct ordo_sync_options *options,
                     const struct ordo_sync_spec *spec, struct ordo_model *model, struct ordo_error *error)
{
    (void)spec;
    return ordo_sync_levels(transport, options, false, model, error);
}

const struct ordo_sync_algorithm ordo_sync_algorithm_h2hca = {
    .name = "h2hca", .title = "between nodes, then within each", .composed = true, .run = run_h2hca};
