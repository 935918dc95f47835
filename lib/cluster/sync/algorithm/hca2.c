/* HCA2 (Hunold and Carpen-Amarie, EuroMPI 2015): each rank of a binomial tree learns a model of its local clock against
 * its parent's local clock, from the leaves up. Then the models of each path to the root are merged. O(log p) rounds.
 *
 * In the published form, each parent merges the models of its subtree, and the root scatters the result. Here each
 * parent sends its model against the root down to its children, who merge it with their own. Merging is associative, so
 * the result is the same, and all messages have the same size. */
#include "cluster/sync/hca2.h"
#include "cluster/sync/link.h"
#include "cluster/sync/tree.h"

struct work {
    const struct ordo_sync_options *options;
    const struct ordo_sync_spec *spec;
    struct ordo_model *model; /* during the way up: this rank's model against its parent */
    struct ordo_error *error;
};

static int learn_step(struct ordo_transport *transport, int neighbour, bool child, void *context)
{
    struct work *work = context;
    if (!child)
        return ordo_link_serve(transport, neighbour, 1, work->spec);
    return ordo_link_learn(transport, neighbour, work->options, work->spec, work->model, work->error);
}

static int merge_step(struct ordo_transport *transport, int neighbour, bool child, void *context)
{
    struct work *work = context;
    if (!child)
        return transport->send(transport, neighbour, ORDO_TAG_MODEL, work->model, sizeof *work->model);
    struct ordo_model parent;
    int code = transport->receive(transport, neighbour, ORDO_TAG_MODEL, &parent, sizeof parent);
    if (!code)
        *work->model = ordo_model_merge(work->model, &parent);
    return code;
}

int ordo_sync_hca2(struct ordo_transport *transport, const struct ordo_sync_options *options,
                   const struct ordo_sync_spec *spec, struct ordo_model *model, struct ordo_error *error)
{
    struct work work = {options, spec, model, error};
    *model = ordo_model_identity(transport->granule_ns);
    int code = ordo_tree_up(transport, learn_step, &work);
    return code ? code : ordo_tree_down(transport, merge_step, &work);
}

const struct ordo_sync_algorithm ordo_sync_algorithm_hca2 = {
    .name = "hca2",
    .title = "models are learnt up a binomial tree, then merged: O(log p) rounds",
    .tree = true,
    .run = ordo_sync_hca2};
