#include "sync/levels.h"

#include "sync/tree.h"

/* One level: the ranks of `group` (NULL: this rank is in none), on top of what its rank 0 already knows. */
static int run_level(struct ordo_transport *group, const struct ordo_sync_options *options,
                     const struct ordo_sync_spec *spec, struct ordo_model *model, struct ordo_error *error)
{
    if (!group || group->size == 1)
        return ORDO_OK;
    struct ordo_model root = *model;
    int code = spec->algorithm->run(group, options, spec, model, error);
    return code ? code : ordo_tree_put_on(group, &root, model);
}

static int within_node(struct ordo_transport *node, const struct ordo_sync_options *options, struct ordo_model *model,
                       struct ordo_error *error)
{
    struct ordo_transport *socket, *firsts;
    /* The ranks of a node fail together, and those of other nodes do not know: then nothing is known here, and no more
     * is sent. */
    if (node->split_level(node, ORDO_LEVEL_SOCKET, &socket, &firsts, error)) {
        model->known = 0;
        return ORDO_OK;
    }
    int code = run_level(firsts, options, &options->socket, model, error);
    return code ? code : run_level(socket, options, &options->intra, model, error);
}

int ordo_sync_levels(struct ordo_transport *transport, const struct ordo_sync_options *options, bool sockets,
                     struct ordo_model *model, struct ordo_error *error)
{
    struct ordo_transport *node, *firsts;
    *model = ordo_model_identity(transport->granule_ns);
    int code = transport->split_level(transport, ORDO_LEVEL_NODE, &node, &firsts, error);
    if (!code)
        code = run_level(firsts, options, &options->inter, model, error);
    if (!code)
        code = sockets ? within_node(node, options, model, error)
                       : run_level(node, options, &options->intra, model, error);
    return code;
}
