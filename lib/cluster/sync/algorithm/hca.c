/* HCA (Hunold and Carpen-Amarie, EuroMPI 2015): runs HCA2; then rank 0 measures the offset of every rank once more. The
 * slopes are those of HCA2, and the offsets are those of this last pass, which takes O(p) rounds. */
#include "cluster/sync/hca2.h"
#include "cluster/sync/link.h"

static int run_hca(struct ordo_transport *transport, const struct ordo_sync_options *options,
                   const struct ordo_sync_spec *spec, struct ordo_model *model, struct ordo_error *error)
{
    int code = ordo_sync_hca2(transport, options, spec, model, error);
    if (transport->rank == 0) {
        for (int i = 1; i < transport->size && !code; i++)
            code = ordo_link_serve_once(transport, i, spec->pingpong);
        return code;
    }
    struct ordo_fit_point point;
    int64_t granule_ns;
    if (!code)
        code = ordo_link_measure_once(transport, 0, spec->pingpong, &point, &granule_ns);
    if (!code && model->known)
        (void)ordo_model_adjust(model, &point, granule_ns, error);
    return code;
}

const struct ordo_sync_algorithm ordo_sync_algorithm_hca = {
    .name = "hca", .title = "hca2, then rank 0 measures every offset once more", .run = run_hca};
