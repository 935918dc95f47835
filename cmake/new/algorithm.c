/* Authors, paper, section, and the number of rounds. Here: rank 0 serves all other ranks in turn, as in jk.c. */
#include "cluster/sync/link.h"

static int run_NAME(struct ordo_transport *transport, const struct ordo_sync_options *options,
                    const struct ordo_sync_spec *spec, struct ordo_model *model, struct ordo_error *error)
{
    if (transport->rank > 0)
        return ordo_link_learn(transport, 0, options, spec, model, error);
    *model = ordo_model_identity(transport->granule_ns);
    return ordo_link_serve(transport, 1, transport->size - 1, spec);
}

const struct ordo_sync_algorithm ordo_sync_algorithm_NAME = {
    .name = "NAME", .title = "one line for people", .run = run_NAME};
