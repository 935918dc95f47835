/* Authors, paper, section, and how many rounds it takes. Here: rank 0 serves all others, one after the other. */
#include "cluster/sync/link.h"

static int run(struct ordo_transport *transport, const struct ordo_sync_options *options,
               const struct ordo_sync_spec *spec, struct ordo_model *model, struct ordo_error *error)
{
    int code = ORDO_OK;
    if (transport->rank > 0)
        return ordo_link_learn(transport, 0, options, spec, model, error);
    *model = ordo_model_identity(transport->granule_ns);
    for (int client = 1; client < transport->size && !code; client++)
        code = ordo_link_serve(transport, client, 1, spec);
    return code;
}

const struct ordo_sync_algorithm ordo_sync_algorithm_NAME = {
    .name = "NAME", .title = "one line for people", .run = run};
