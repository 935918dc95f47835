/* JK (Jones and Koenig, CCPE 2013): rank 0 measures every other rank, in turn for each fit point. O(p) rounds, but no
 * model rests on another. */
#include <stdlib.h>

#include "sync/link.h"

static int serve_all(struct ordo_transport *transport, const struct ordo_sync_spec *spec, struct ordo_error *error)
{
    int *clients = malloc((size_t)transport->size * sizeof *clients);
    if (!clients)
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "%d ranks: out of memory", transport->size);
    for (int i = 1; i < transport->size; i++)
        clients[i - 1] = i;
    int code = ordo_link_serve(transport, clients, transport->size - 1, spec);
    free(clients);
    return code;
}

static int run(struct ordo_transport *transport, const struct ordo_sync_options *options,
               const struct ordo_sync_spec *spec, struct ordo_model *model, struct ordo_error *error)
{
    if (transport->rank > 0)
        return ordo_link_learn(transport, 0, options, spec, model, error);
    *model = ordo_model_identity(transport->granule_ns);
    return serve_all(transport, spec, error);
}

const struct ordo_sync_algorithm ordo_sync_algorithm_jk = {
    .name = "jk", .title = "rank 0 measures every other rank: O(p) rounds", .run = run};
