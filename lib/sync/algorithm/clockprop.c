/* ClockPropSync (Hunold and Carpen-Amarie, CLUSTER 2018, Algorithm 3): ranks that read one clock need no measurement,
 * only a copy of rank 0's model. Wrong without a word where they do not, so it is done only where that was verified. */
#include "sync/tree.h"

static int run(struct ordo_transport *transport, const struct ordo_sync_options *options,
               const struct ordo_sync_spec *spec, struct ordo_model *model, struct ordo_error *error)
{
    int64_t least_ns = options->common_residual_ns, most_ns = -options->common_residual_ns;
    int code = ordo_tree_least(transport, &least_ns);
    if (!code)
        code = ordo_tree_least(transport, &most_ns);
    if (!code && least_ns < 0 && options->fallback)
        return ordo_sync_algorithm_find("hca3")->run(transport, options, spec, model, error);
    *model = ordo_model_identity(transport->granule_ns);
    if (!code && least_ns < 0 && transport->size > 1) {
        model->known = 0;
        (void)ordo_error_set(error, ORDO_E_UNVERIFIED, 0,
                             "clockprop: its %d ranks were not shown to read one clock: verify, or allow the fallback",
                             transport->size);
    }
    if (transport->rank > 0) {
        model->ref_ns = transport->now_ns(transport);
        model->low_ns = most_ns;
        model->high_ns = -most_ns;
    }
    return code;
}

const struct ordo_sync_algorithm ordo_sync_algorithm_clockprop = {
    .name = "clockprop", .title = "ranks verified to read one clock copy rank 0's model", .run = run};
