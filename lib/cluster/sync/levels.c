#include "cluster/sync/levels.h"

#include "cluster/sync/tree.h"

/* One level of the hierarchy: the group of this rank (NULL: this rank is not in the level), and the model that this
 * rank learns in the group. */
struct level {
    struct ordo_transport *group;
    const struct ordo_sync_spec *spec;
    struct ordo_model model; /* this rank's clock against that of the group's rank 0 */
};

enum { MOST_LEVELS = 3 };

static int learn_level(struct level *level, const struct ordo_sync_options *options, struct ordo_error *error)
{
    if (!level->group || level->group->size == 1)
        return ORDO_OK;
    return level->spec->algorithm->run(level->group, options, level->spec, &level->model, error);
}

/* Merges the level's model with the model of the group's rank 0, which comes from the levels above. */
static int put_on(struct level *level, struct ordo_model *model, struct ordo_error *error)
{
    if (!level->group || level->group->size == 1)
        return ORDO_OK;
    struct ordo_model root = *model;
    *model = level->model;
    int code = ordo_tree_put_on(level->group, &root, model);
    return code ? code : ordo_sync_narrow(level->group, level->spec, model, error);
}

int ordo_sync_levels(struct ordo_transport *transport, const struct ordo_sync_options *options, bool sockets,
                     struct ordo_model *model, struct ordo_error *error)
{
    struct level levels[MOST_LEVELS] = {
        {.spec = &options->inter}, {.spec = &options->socket}, {.spec = &options->intra}};
    struct ordo_transport *node;
    *model = ordo_model_identity(transport->granule_ns);
    int code = transport->split_level(transport, ORDO_LEVEL_NODE, &node, &levels[0].group, error);
    if (code)
        return code;
    levels[2].group = node;
    /* If the split fails, it fails on all ranks of the node, but other nodes go on. So this function does not return,
     * but skips the levels within the node; at the end, the models of this node become unknown. */
    bool failed = sockets && node->split_level(node, ORDO_LEVEL_SOCKET, &levels[2].group, &levels[1].group, error);
    if (failed)
        levels[1].group = levels[2].group = NULL;
    /* The offset of a level gets less certain while other levels learn. All levels learn first; then put_on merges the
     * models, and measures the offsets once more. */
    for (int i = 0; i < MOST_LEVELS && !code; i++)
        code = learn_level(&levels[i], options, error);
    for (int i = 0; i < MOST_LEVELS && !code; i++)
        code = put_on(&levels[i], model, error);
    if (failed)
        model->known = 0;
    return code;
}
