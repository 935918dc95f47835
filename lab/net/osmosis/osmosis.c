#include "lab/net/osmosis/osmosis.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/minmax.h"
#include "base/random.h"
#include "lab/net/osmosis/tree.h"

/* The kinds of alarms: a judgement, the loss of a channel, its return, the failure of host 0. */
enum { JUDGEMENT, LOSS, RETURN, FAILURE };
enum { JUDGEMENTS = 200, TICK_NS = 8 };

static const int64_t ns_fs = 1000000, us_fs = 1000000000;

struct run {
    const struct ordo_net_osmosis *osmosis;
    struct ordo_net_shape shape;
    struct ordo_net_claims claims;
    struct ordo_net_osmosis_outcome *outcome;
    double *phase_ps; /* by node: phase of its clock at this judgement, from that of its master */
    int *followed;    /* by node: the process that it followed after its last change */
    int lost;         /* the channel that is lost; -1: none */
    int judged, tagged;
    bool all_met;
    uint64_t random;
};

struct ordo_net_osmosis ordo_net_osmosis_defaults(void)
{
    return (struct ordo_net_osmosis){.beacon_us = 100, .phase_ps = 10};
}

/* Draws the phases of all recovered clocks: normal numbers, by the sum of twelve uniform ones. */
static void draw_phases(struct run *run)
{
    for (int node = 0; run->osmosis->jitter_ps > 0 && node < run->shape.nodes; node++) {
        double sum = -6;
        for (int i = 0; i < 12; i++)
            sum += ordo_random_unit(&run->random);
        run->phase_ps[node] = sum * run->osmosis->jitter_ps;
    }
}

/* Returns the phase of a host's clock from that of the head of its tree: jitter accumulates from channel to channel. */
static double phase_of_host(const struct run *run, const struct ordo_net_osmosis_tree *tree, int host)
{
    double sum_ps = 0;
    for (int node = host, master; (master = ordo_net_osmosis_tree_master(tree, node)) >= 0; node = master)
        sum_ps += run->phase_ps[node];
    return sum_ps;
}

static void judge_tree(struct run *run, const struct ordo_net_osmosis_tree *tree)
{
    int64_t first_fs = ordo_net_osmosis_tree_register_fs(tree, 0);
    bool all = true;
    draw_phases(run);
    for (int host = 1; host < run->shape.hosts; host++) {
        double error_ps = (double)(ordo_net_osmosis_tree_register_fs(tree, host) - first_fs) * 1e-3;
        error_ps += phase_of_host(run, tree, host);
        bool synchronised = ordo_net_osmosis_tree_process(tree, host)->says.synchronised;
        all = all && synchronised;
        if (synchronised)
            ordo_net_claim_error(&run->claims, ordo_net_osmosis_tree_now_fs(tree) / 1000, error_ps, -1);
        else if (run->all_met)
            run->outcome->tagged_worst_ns = fmax(run->outcome->tagged_worst_ns, fabs(error_ps) * 1e-3);
        run->judged += run->all_met;
        run->tagged += run->all_met && !synchronised;
    }
    run->all_met = run->all_met || all;
}

static bool is_host(const struct run *run, int node)
{
    return node < run->shape.hosts;
}

/* Picks a random channel of the tree: a channel between two switches if there is one, because no other channel can
 * replace the only channel of a host. */
static int channel_of_tree(struct run *run, const struct ordo_net_osmosis_tree *tree)
{
    int candidates = 0, chosen = -1;
    for (int pass = 0; pass < 2 && chosen < 0; pass++)
        for (int link = 0; link < run->shape.links; link++) {
            const struct ordo_net_link *at = &run->shape.link[link];
            if (ordo_net_osmosis_tree_master(tree, at->to) != at->from ||
                (pass == 0 && (is_host(run, at->from) || is_host(run, at->to))))
                continue;
            if (ordo_random_next(&run->random) % (uint64_t)++candidates == 0)
                chosen = link / 2;
        }
    return chosen;
}

static void cut_reference(const struct run *run, struct ordo_net_osmosis_tree *tree)
{
    for (int link = 0; link < run->shape.links; link++)
        if (run->shape.link[link].from == 0)
            ordo_net_osmosis_tree_cut(tree, link / 2);
}

static bool is_of_reference(const struct run *run, int channel)
{
    return run->shape.link[2 * channel].from == 0 || run->shape.link[2 * channel].to == 0;
}

static void wake_osmosis(void *context, struct ordo_net_osmosis_tree *tree, int token)
{
    struct run *run = context;
    if (token == JUDGEMENT)
        judge_tree(run, tree);
    else if (token == LOSS && (run->lost = channel_of_tree(run, tree)) >= 0) {
        run->outcome->cuts++;
        ordo_net_osmosis_tree_cut(tree, run->lost);
    } else if (token == RETURN && run->lost >= 0 && (run->osmosis->fails_ms == 0 || !is_of_reference(run, run->lost)))
        ordo_net_osmosis_tree_join(tree, run->lost);
    else if (token == FAILURE)
        cut_reference(run, tree);
}

static void change_osmosis(void *context, const struct ordo_net_osmosis_tree *tree, int node)
{
    struct run *run = context;
    int follows = ordo_net_osmosis_tree_master(tree, node);
    run->outcome->reroutes += run->all_met && follows >= 0 && follows != run->followed[node];
    run->followed[node] = follows;
}

/* Finds the domains of the end: the trees below processes without a master. */
static void sum_up_domains(const struct run *run, const struct ordo_net_osmosis_tree *tree)
{
    for (int node = 0; node < run->shape.nodes; node++) {
        int master = ordo_net_osmosis_tree_process(tree, node)->says.master;
        run->outcome->domains += ordo_net_osmosis_tree_master(tree, node) < 0;
        for (int other = 0; other < node; other++) {
            int64_t apart_fs =
                ordo_net_osmosis_tree_register_fs(tree, node) - ordo_net_osmosis_tree_register_fs(tree, other);
            if (ordo_net_osmosis_tree_process(tree, other)->says.master == master)
                run->outcome->domain_apart_ns = fmax(run->outcome->domain_apart_ns, fabs((double)apart_fs) * 1e-6);
        }
    }
}

static void sum_up_osmosis(struct run *run, const struct ordo_net_osmosis_tree *tree)
{
    struct ordo_net_osmosis_outcome *outcome = run->outcome;
    outcome->processes = run->shape.nodes;
    sum_up_domains(run, tree);
    outcome->tagged_share = run->judged > 0 ? (double)run->tagged / run->judged : 0;
    outcome->register_bits = ordo_net_osmosis_register_bits(1e9 / TICK_NS, 1e6 / run->osmosis->beacon_us);
    for (int node = 0; node < run->shape.nodes; node++) {
        const struct ordo_net_osmosis_advert *says = &ordo_net_osmosis_tree_process(tree, node)->says;
        if (!says->synchronised)
            continue;
        outcome->deepest = (int)ordo_max(outcome->deepest, says->hops);
        outcome->longest_ns = fmax(outcome->longest_ns, (double)says->delay_fs * 1e-6);
    }
}

static void plan(const struct run *run, struct ordo_net_osmosis_tree *tree, int64_t end_fs)
{
    for (int i = 1; i <= JUDGEMENTS; i++)
        ordo_net_osmosis_tree_wake(tree, end_fs / JUDGEMENTS * i, JUDGEMENT);
    if (run->osmosis->fails_ms > 0)
        ordo_net_osmosis_tree_wake(tree, run->osmosis->fails_ms * 1000 * us_fs, FAILURE);
    int64_t every_fs = end_fs / (run->osmosis->cuts + 1);
    for (int i = 1; i <= run->osmosis->cuts; i++) {
        ordo_net_osmosis_tree_wake(tree, every_fs * i, LOSS);
        ordo_net_osmosis_tree_wake(tree, every_fs * i + every_fs / 2, RETURN);
    }
}

static int simulate_osmosis(struct run *run, const struct ordo_net_options *options, struct ordo_error *error)
{
    static const struct ordo_net_osmosis_calls calls = {wake_osmosis, change_osmosis};
    const struct ordo_net_osmosis_tree_options own = {.phy = {.period_fs = TICK_NS * ns_fs,
                                                              .skew_ppb = ordo_net_clock_rate_ppb(&options->clock),
                                                              .delay_fs = options->delay_ns * ns_fs,
                                                              .asymmetry_fs = options->asymmetry_ns * ns_fs,
                                                              .seed = options->traffic.seed},
                                                      .beacon_fs = run->osmosis->beacon_us * us_fs,
                                                      .phase_fs = run->osmosis->phase_ps * INT64_C(1000),
                                                      .joining = run->osmosis->joining};
    int64_t end_fs = (int64_t)(options->seconds * 1e15);
    struct ordo_net_osmosis_tree *tree =
        ordo_net_osmosis_tree_new(&own, run->shape.nodes, run->shape.links, run->shape.link, error);
    if (!tree)
        return ORDO_E_SYSTEM;
    plan(run, tree, end_fs);
    int code = ordo_net_osmosis_tree_run(tree, &calls, run, end_fs, error);
    if (!code)
        sum_up_osmosis(run, tree);
    ordo_net_osmosis_tree_free(tree);
    return code;
}

/* Refuses beacons that are too frequent for the longest path of the tree (section 5). A path can contain all
 * processes. */
static int refuse_beacons(const struct run *run, const struct ordo_net_options *options, struct ordo_error *error)
{
    int64_t longest_ns = (options->delay_ns + options->asymmetry_ns) * run->shape.hops;
    if (run->osmosis->beacon_us * INT64_C(1000) < longest_ns)
        return ordo_error_set(
            error, ORDO_E_INVALID, 0,
            "osmosis: a beacon each %d us, but the longest way takes %lld ns: give a larger beacon-us",
            run->osmosis->beacon_us, (long long)longest_ns);
    if (options->seconds > 9000)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "osmosis: %g seconds: take at most 9000", options->seconds);
    return ORDO_OK;
}

int ordo_net_osmosis_run(const struct ordo_net_options *options, const struct ordo_net_osmosis *osmosis,
                         struct ordo_net_score *score, struct ordo_net_osmosis_outcome *outcome,
                         struct ordo_error *error)
{
    struct run run = {
        .osmosis = osmosis, .outcome = outcome, .lost = -1, .random = options->traffic.seed ^ UINT64_C(0x6f736d6f)};
    int code = ordo_net_shape_make(&run.shape, options->shape, options->hosts, error);
    if (code)
        return code;
    *outcome = (struct ordo_net_osmosis_outcome){.tagged_worst_ns = NAN};
    code = refuse_beacons(&run, options, error);
    run.followed = calloc((size_t)run.shape.nodes, sizeof *run.followed);
    run.phase_ps = calloc((size_t)run.shape.nodes, sizeof *run.phase_ps);
    if (!code && (!run.followed || !run.phase_ps))
        code = ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "osmosis: out of memory");
    if (!code)
        code = simulate_osmosis(&run, options, error);
    if (!code)
        code = ordo_net_score_claims(score, &run.claims, options->hosts, options->seconds, 0, error);
    ordo_net_claims_free(&run.claims);
    ordo_net_shape_free(&run.shape);
    free(run.followed);
    free(run.phase_ps);
    return code;
}
