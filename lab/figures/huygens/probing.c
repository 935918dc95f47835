#include "lab/figures/huygens/probing.h"

#include <errno.h>

#include "lab/net/huygens/huygens.h"

struct watch {
    struct ordo_net_mesh mesh;
    struct ordo_net_probes probes;
    const struct figure_probing_calls *calls;
    void *context;
};

static void arrive_probe(void *context, struct ordo_net *net, const struct ordo_net_packet *packet, int64_t stamp_ps)
{
    struct watch *watch = context;
    uint64_t pairs = watch->probes.pairs, kept = watch->probes.kept;
    ordo_net_probes_arrive(&watch->probes, packet, stamp_ps);
    if (watch->probes.pairs == pairs || !watch->calls->pair)
        return;
    /* The sender's clock stamped the packet, and the judge reads the same clock now. */
    double delay_ps = (double)(ordo_net_clock_now(net, packet->from) - packet->sent_ps);
    watch->calls->pair(watch->context, (int)packet->words[0], delay_ps, watch->probes.kept > kept);
}

static void wake_probe(void *context, struct ordo_net *net, int host, int token)
{
    struct watch *watch = context;
    (void)host;
    ordo_net_probes_wake(&watch->probes, net, token);
}

static void judge_probes(void *context, struct ordo_net *net, int64_t true_ps)
{
    (void)context, (void)net, (void)true_ps;
}

static struct ordo_net_probe_plan default_plan(uint64_t seed)
{
    const struct ordo_net_huygens huygens = ordo_net_huygens_defaults();
    return (struct ordo_net_probe_plan){.coded = true,
                                        .every_ps = huygens.every_us * INT64_C(1000000),
                                        .spacing_ps = huygens.spacing_ns * INT64_C(1000),
                                        .tolerance_ps = huygens.tolerance_ns * INT64_C(1000),
                                        .seed = seed};
}

static int play_probes(struct watch *watch, struct ordo_net *net, struct ordo_error *error)
{
    static const struct ordo_net_protocol_calls calls = {arrive_probe, wake_probe, judge_probes};
    ordo_net_probes_start(&watch->probes, net);
    int code = ordo_net_run(net, &calls, watch, INT64_C(1000000000000), error);
    if (!code && watch->probes.full)
        code = ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "probes: out of memory");
    for (int i = 0; !code && watch->calls->edge && i < watch->mesh.edges; i++) {
        struct ordo_net_samples samples = ordo_net_probes_of(&watch->probes, i);
        watch->calls->edge(watch->context, net, i, &watch->mesh.edge[i], &samples);
    }
    return code;
}

int figure_probe(const struct ordo_net_options *options, int peers, const struct figure_probing_calls *calls,
                 void *context, struct ordo_error *error)
{
    struct watch watch = {.calls = calls, .context = context};
    const struct ordo_net_probe_plan plan = default_plan(options->traffic.seed);
    struct ordo_net *net = ordo_net_new(options, error);
    if (!net)
        return ORDO_E_SYSTEM;
    int code = ORDO_OK;
    if (!ordo_net_mesh_make(&watch.mesh, options->hosts, peers, options->traffic.seed) ||
        !ordo_net_probes_make(&watch.probes, &watch.mesh, &plan))
        code = ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "probes: out of memory");
    if (!code)
        code = play_probes(&watch, net, error);
    ordo_net_probes_free(&watch.probes);
    ordo_net_mesh_free(&watch.mesh);
    ordo_net_free(net);
    return code;
}
