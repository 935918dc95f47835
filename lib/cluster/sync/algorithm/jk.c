/* JK (Jones and Koenig, CCPE 2013): for each fit point, rank 0 measures all other ranks, one after another. This takes
 * O(p) rounds, but no model depends on another model. */
#include "cluster/sync/link.h"

static int run_jk(struct ordo_transport *transport, const struct ordo_sync_options *options,
                  const struct ordo_sync_spec *spec, struct ordo_model *model, struct ordo_error *error)
{
    if (transport->rank > 0)
        return ordo_link_learn(transport, 0, options, spec, model, error);
    *model = ordo_model_identity(transport->granule_ns);
    return ordo_link_serve(transport, 1, transport->size - 1, spec);
}

const struct ordo_sync_algorithm ordo_sync_algorithm_jk = {
    .name = "jk", .title = "rank 0 measures every other rank: O(p) rounds", .run = run_jk};
