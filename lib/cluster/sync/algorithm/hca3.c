/* HCA3 (Hunold and Carpen-Amarie, CLUSTER 2018, Algorithm 1): in a binomial tree, from the root down, each rank learns
 * its model against its parent's global clock, and then serves as the reference of its children. O(log p) rounds.
 *
 * In this implementation a parent answers with its local clock, and afterwards sends its model, which the child merges
 * with its own. The estimate is as good as the published one, because the parent's global time is a function of its
 * local time. The bounds are tighter: a child's drift interval is then about two real clocks, and does not contain the
 * uncertainty of the models above. */
#include "cluster/sync/link.h"
#include "cluster/sync/tree.h"

struct work {
    const struct ordo_sync_options *options;
    const struct ordo_sync_spec *spec;
    struct ordo_model *model;
    struct ordo_error *error;
};

static int step_hca3(struct ordo_transport *transport, int neighbour, bool child, void *context)
{
    struct work *work = context;
    if (!child) {
        int code = ordo_link_serve(transport, neighbour, 1, work->spec);
        return code ? code : transport->send(transport, neighbour, ORDO_TAG_MODEL, work->model, sizeof *work->model);
    }
    struct ordo_model link, parent;
    int code = ordo_link_learn(transport, neighbour, work->options, work->spec, &link, work->error);
    if (!code)
        code = transport->receive(transport, neighbour, ORDO_TAG_MODEL, &parent, sizeof parent);
    if (!code)
        *work->model = ordo_model_merge(&link, &parent);
    return code;
}

static int run_hca3(struct ordo_transport *transport, const struct ordo_sync_options *options,
                    const struct ordo_sync_spec *spec, struct ordo_model *model, struct ordo_error *error)
{
    struct work work = {options, spec, model, error};
    *model = ordo_model_identity(transport->granule_ns);
    return ordo_tree_down(transport, step_hca3, &work);
}

const struct ordo_sync_algorithm ordo_sync_algorithm_hca3 = {
    .name = "hca3",
    .title = "reference time is pushed down a binomial tree: O(log p) rounds",
    .tree = true,
    .run = run_hca3};
