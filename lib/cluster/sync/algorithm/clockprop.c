/* ClockPropSync (Hunold and Carpen-Amarie, CLUSTER 2018, Algorithm 3): ranks that read one clock need no measurement,
 * only a copy of rank 0's model. A verification bounds the offset and the drift between the ranks, and the copy takes
 * over both bounds. So its error grows with its age, like that of any other model. If the ranks did not read one clock,
 * a copy would be wrong without any sign. So this algorithm copies only among ranks that were verified, which are ranks
 * of one node. */
#include <math.h>

#include "cluster/sync/sync.h"
#include "cluster/sync/tree.h"

/* Collective: sets `*value` to the largest value of all ranks. */
static int most(struct ordo_transport *transport, int64_t *value)
{
    *value = -*value;
    int code = ordo_tree_least(transport, value);
    *value = -*value;
    return code;
}

/* Runs HCA3 for ranks that are not verified to read one clock. */
static int measure_instead(struct ordo_transport *transport, const struct ordo_sync_options *options,
                           const struct ordo_sync_spec *spec, struct ordo_model *model, struct ordo_error *error)
{
    struct ordo_sync_spec measured = *spec;
    measured.algorithm = ordo_sync_algorithm_find("hca3");
    int code = measured.algorithm->run(transport, options, &measured, model, error);
    return code ? code : ordo_sync_narrow(transport, &measured, model, error);
}

/* Sets `*together`: true if all ranks of this group are on one node. */
static int find_node(struct ordo_transport *transport, bool *together, struct ordo_error *error)
{
    struct ordo_transport *node;
    int code = transport->split_level(transport, ORDO_LEVEL_NODE, &node, NULL, error);
    *together = !code && node->size == transport->size;
    return code;
}

/* Decides for all ranks of this group whether they may copy. If they may, `*residual_ns` and `*drift_ppb` become the
 * largest of all ranks; if not, `*residual_ns` becomes -1. */
static int agree_copy(struct ordo_transport *transport, bool together, int64_t *residual_ns, int64_t *drift_ppb)
{
    int64_t least_ns = together ? *residual_ns : -1;
    int code = ordo_tree_least(transport, &least_ns);
    if (!code)
        code = most(transport, residual_ns);
    if (!code)
        code = most(transport, drift_ppb);
    *residual_ns = least_ns < 0 ? -1 : *residual_ns;
    return code;
}

static int run_clockprop(struct ordo_transport *transport, const struct ordo_sync_options *options,
                         const struct ordo_sync_spec *spec, struct ordo_model *model, struct ordo_error *error)
{
    int64_t residual_ns = options->common_residual_ns, drift_ppb = (int64_t)ceil(options->common_drift_ppb);
    bool together = true;
    *model = (struct ordo_model){.granule_ns = transport->granule_ns};
    if (transport->size > 1 && find_node(transport, &together, error))
        return ORDO_OK; /* all ranks of this group return here; other groups go on */
    int code = transport->size > 1 ? agree_copy(transport, together, &residual_ns, &drift_ppb) : ORDO_OK;
    bool refused = transport->size > 1 && residual_ns < 0;
    if (!code && refused && options->fallback)
        return measure_instead(transport, options, spec, model, error);
    *model = ordo_model_identity(transport->granule_ns);
    model->known = !refused;
    if (!code && refused)
        (void)ordo_error_set(error, ORDO_E_UNVERIFIED, 0,
                             "clockprop: its %d ranks were not shown to read one clock: verify, or allow the fallback",
                             transport->size);
    if (transport->rank > 0) {
        model->ref_ns = options->common_at_ns;
        model->low_ns = -residual_ns;
        model->high_ns = residual_ns;
        model->drift_max = (double)drift_ppb * 1e-9;
        model->drift_min = -model->drift_max;
        /* The drift was observed at some time after common_since_ns. */
        model->span_ns = transport->now_ns(transport) - options->common_since_ns;
        ordo_model_declare(model, options->max_wander_ppb, options->late_wander_ppb, options->max_skew_ppb);
    }
    return code;
}

const struct ordo_sync_algorithm ordo_sync_algorithm_clockprop = {
    .name = "clockprop",
    .title = "ranks verified to read one clock copy rank 0's model",
    .copies = true,
    .run = run_clockprop};
