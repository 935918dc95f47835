/* The synchronisation tree of OSMOSIS: the choice of a process's master, the consequences of lost channels, and figure
 * 2 of the report. */
#include <criterion/criterion.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "lab/net/osmosis/figure2.h"
#include "lab/net/protocol/protocol.h"

enum { MOST = 15, CHANNELS_MOST = 40 };

static const int64_t us_fs = 1000000000;

/* Makes a process with three measured channels, to 1, 2 and 3. */
static struct ordo_net_osmosis_process process_of(struct ordo_net_osmosis_channel *channels)
{
    memset(channels, 0, 3 * sizeof *channels);
    struct ordo_net_osmosis_process process = ordo_net_osmosis_process_make(9, false, 0, 3, channels);
    for (int i = 0; i < 3; i++) {
        channels[i].neighbour = i + 1;
        ordo_net_osmosis_join(&process, i);
        cr_assert_not(ordo_net_osmosis_measured(&process, i, 100));
    }
    return process;
}

static struct ordo_net_osmosis_advert advert_of(bool synchronised, int hops, int priority, int64_t delay_fs)
{
    return (struct ordo_net_osmosis_advert){.synchronised = synchronised,
                                            .hops = hops,
                                            .priority = priority,
                                            .delay_fs = delay_fs,
                                            .number = 5,
                                            .rank = hops};
}

Test(osmosis, channels_are_compared_quality_by_quality)
{
    struct ordo_net_osmosis_channel channels[3];
    const struct ordo_net_osmosis_advert worst_first[] = {advert_of(false, 1, 1, 1), advert_of(true, 4, 1, 1),
                                                          advert_of(true, 3, 2, 1), advert_of(true, 3, 1, 9),
                                                          advert_of(true, 3, 1, 5)};
    for (int better = 1; better < 5; better++) {
        struct ordo_net_osmosis_process process = process_of(channels);
        cr_expect(ordo_net_osmosis_hear(&process, 0, &worst_first[better - 1]) && process.followed == 0);
        struct ordo_net_osmosis_advert found = worst_first[better];
        found.number = 6; /* a newer beacon may be followed for any number of hops */
        (void)ordo_net_osmosis_hear(&process, 1, &found);
        cr_expect_eq(process.followed, 1, "%d", better);
    }
    struct ordo_net_osmosis_process process = process_of(channels);
    const struct ordo_net_osmosis_advert alike = advert_of(true, 3, 1, 5);
    (void)ordo_net_osmosis_hear(&process, 2, &alike);
    (void)ordo_net_osmosis_hear(&process, 1, &alike);
    cr_expect_eq(process.followed, 1, "the smaller id wins");
    struct ordo_net_osmosis_advert later = alike;
    later.number = 6;
    (void)ordo_net_osmosis_hear(&process, 2, &later);
    cr_expect_eq(process.followed, 1, "a master that is not strictly better changes nothing");
    process = process_of(channels);
    channels[2].neighbour = 1;
    (void)ordo_net_osmosis_hear(&process, 0, &alike);
    (void)ordo_net_osmosis_hear(&process, 2, &later);
    cr_expect_eq(process.followed, 0, "a second channel of the same neighbour changes nothing either");
}

Test(osmosis, a_process_without_a_master_is_tagged)
{
    struct ordo_net_osmosis_channel channels[3];
    struct ordo_net_osmosis_process process = process_of(channels);
    const struct ordo_net_osmosis_advert master = advert_of(true, 2, 0, 50), follower = advert_of(true, 4, 0, 250);
    cr_expect(ordo_net_osmosis_hear(&process, 0, &master));
    cr_expect(process.says.synchronised && process.says.hops == 3 && process.says.delay_fs == 150);
    cr_expect_not(ordo_net_osmosis_hear(&process, 1, &follower));
    cr_expect(ordo_net_osmosis_lose(&process, 0));
    cr_expect(process.followed == -1 && !process.says.synchronised && process.says.master == 9 &&
              process.says.hops == 0);
    cr_expect_not(ordo_net_osmosis_hear(&process, 1, &follower),
                  "the neighbour still reports what it heard from this process");
    struct ordo_net_osmosis_advert elsewhere = follower;
    elsewhere.number = 6; /* a beacon that arrived by another path */
    cr_expect(ordo_net_osmosis_hear(&process, 1, &elsewhere));
    cr_expect(process.followed == 1 && process.says.synchronised && process.says.hops == 5 && process.says.rank == 5);
}

Test(osmosis, a_channel_without_a_known_delay_is_not_followed)
{
    struct ordo_net_osmosis_channel channels[3];
    struct ordo_net_osmosis_process process = process_of(channels);
    const struct ordo_net_osmosis_advert master = advert_of(true, 2, 0, 50);
    (void)ordo_net_osmosis_lose(&process, 0);
    ordo_net_osmosis_join(&process, 0);
    cr_expect_not(ordo_net_osmosis_hear(&process, 0, &master));
    cr_expect(ordo_net_osmosis_measured(&process, 0, 70));
    cr_expect_eq(process.says.delay_fs, 120);
}

Test(osmosis, a_register_has_enough_bits_for_a_beacon_interval)
{
    cr_expect_eq(ordo_net_osmosis_register_bits(125e6, 1000), 17); /* 125,000 ticks */
    cr_expect_eq(ordo_net_osmosis_register_bits(1024, 1), 10);
    cr_expect_eq(ordo_net_osmosis_register_bits(1025, 1), 11);
}

Test(osmosis, figure_2_of_the_report_is_reproduced)
{
    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct ordo_net_figure2 figure;
        cr_assert_eq(ordo_net_figure2_replay(&figure, seed, NULL), ORDO_OK);
        cr_assert(ordo_net_figure2_is_right(&figure), "seed %d", (int)seed);
        cr_expect_eq(figure.moments[0].process[12].hops, 4);
        cr_expect_eq(figure.moments[3].process[12].hops, 5);
        cr_expect_eq(figure.moments[3].process[11].hops, 7);
        cr_expect_leq(figure.rerooted_fs, 2 * figure.beacon_fs);
        cr_expect_lt(figure.tagged_fs, us_fs);
    }
}

/* A random tree with a few additional channels. Some channels are cut, and some of the cut channels are joined
 * again. */
struct trial {
    uint64_t random;
    int nodes, channels, losses;
    struct ordo_net_link links[2 * CHANNELS_MOST];
    int64_t last_fs, quiet_fs,
        end_fs; /* last_fs: the last cut or join; quiet_fs: from then on no process may change its master; end_fs: the end */
    int followed[MOST], swings, loops;
    int distance[MOST];             /* distance from the reference, along the channels that are joined at the end */
    bool cut[CHANNELS_MOST], right; /* the channels that are cut; right: the final state is correct */
    bool joining, settled;          /* settled: every process is as near to the reference as it can be */
};

static int below(struct trial *trial, int most)
{
    return (int)(ordo_random_next(&trial->random) % (uint64_t)most);
}

static void join(struct trial *trial, int a, int b)
{
    trial->links[2 * trial->channels] = (struct ordo_net_link){a, b};
    trial->links[2 * trial->channels++ + 1] = (struct ordo_net_link){b, a};
}

static void note_change(void *context, const struct ordo_net_osmosis_tree *tree, int node)
{
    struct trial *trial = context;
    int at = node, follows = ordo_net_osmosis_tree_master(tree, node);
    for (int i = 0; i <= trial->nodes && at >= 0; i++)
        at = ordo_net_osmosis_tree_master(tree, at);
    trial->loops += at >= 0;
    trial->swings += ordo_net_osmosis_tree_now_fs(tree) > trial->quiet_fs && follows != trial->followed[node];
    trial->followed[node] = follows;
}

static void find_distances(struct trial *trial)
{
    for (int i = 0; i < trial->nodes; i++)
        trial->distance[i] = i == 0 ? 0 : INT_MAX;
    for (int round = 0; round < trial->nodes; round++)
        for (int i = 0; i < 2 * trial->channels; i++) {
            int from = trial->distance[trial->links[i].from], *to = &trial->distance[trial->links[i].to];
            if (!trial->cut[i / 2] && from < INT_MAX && from + 1 < *to)
                *to = from + 1;
        }
}

static void compare(struct trial *trial, const struct ordo_net_osmosis_tree *tree)
{
    find_distances(trial);
    trial->right = true;
    for (int node = 0; node < trial->nodes; node++) {
        const struct ordo_net_osmosis_advert *says = &ordo_net_osmosis_tree_process(tree, node)->says;
        bool reached = trial->distance[node] < INT_MAX;
        trial->right = trial->right && says->synchronised == reached;
        if (reached)
            trial->right = trial->right && says->master == 0 && says->hops == trial->distance[node];
    }
}

/* Expects that sub-domains without a reference have joined: the two ends of a channel are in one tree, whose registers
 * are together. */
static void compare_joined(struct trial *trial, const struct ordo_net_osmosis_tree *tree)
{
    for (int i = 0; i < trial->channels; i++) {
        int a = trial->links[2 * i].from, b = trial->links[2 * i].to;
        const struct ordo_net_osmosis_advert *one = &ordo_net_osmosis_tree_process(tree, a)->says,
                                             *other = &ordo_net_osmosis_tree_process(tree, b)->says;
        trial->right = trial->right && (trial->cut[i] || one->master == other->master);
    }
}

static void turn(struct trial *trial, struct ordo_net_osmosis_tree *tree, int channel)
{
    bool *cut = &trial->cut[channel];
    (*cut ? ordo_net_osmosis_tree_join : ordo_net_osmosis_tree_cut)(tree, channel);
    *cut = !*cut;
}

/* Acts on a token. Token 0 checks the final state. The token of a channel cuts the channel or, if it is cut, joins it.
 * The token of a process does this to all channels of the process. */
static void happen(void *context, struct ordo_net_osmosis_tree *tree, int token)
{
    struct trial *trial = context;
    int node = token - 1 - trial->channels;
    if (token == 0) {
        compare(trial, tree);
        trial->settled = trial->right;
        compare_joined(trial, tree);
    } else if (node < 0)
        turn(trial, tree, token - 1);
    for (int i = 0; node >= 0 && i < trial->channels; i++)
        if (trial->links[2 * i].from == node || trial->links[2 * i].to == node)
            turn(trial, tree, i);
}

static void play_trial(struct trial *trial, uint64_t seed, bool joining)
{
    static const struct ordo_net_osmosis_calls calls = {happen, note_change};
    *trial = (struct trial){.random = seed, .joining = joining};
    trial->nodes = 2 + below(trial, MOST - 1);
    for (int node = 1; node < trial->nodes; node++)
        join(trial, node, below(trial, node));
    for (int more = below(trial, 8); more > 0 && trial->nodes > 2; more--) {
        int a = below(trial, trial->nodes);
        join(trial, a, (a + 1 + below(trial, trial->nodes - 1)) % trial->nodes);
    }
    const struct ordo_net_osmosis_tree_options options = {.phy = {.period_fs = 8000000,
                                                                  .skew_ppb = 20000,
                                                                  .delay_fs = 5000000 + below(trial, 100000000),
                                                                  .asymmetry_fs = below(trial, 300000000),
                                                                  .seed = seed},
                                                          .beacon_fs = 8 * us_fs,
                                                          .phase_fs = 10000,
                                                          .joining = joining};
    struct ordo_net_osmosis_tree *tree =
        ordo_net_osmosis_tree_new(&options, trial->nodes, 2 * trial->channels, trial->links, NULL);
    trial->losses = 1 + below(trial, 6);
    for (int i = 0; i < trial->losses; i++) {
        int64_t at_fs = (int64_t)(ordo_random_unit(&trial->random) * 60 * (double)us_fs);
        trial->last_fs = at_fs > trial->last_fs ? at_fs : trial->last_fs;
        ordo_net_osmosis_tree_wake(tree, at_fs, 1 + below(trial, trial->channels + trial->nodes));
    }
    /* Sub-domains join within a few beacons of their heads. */
    trial->quiet_fs = trial->last_fs + (joining ? 8 : 3) * options.beacon_fs;
    trial->end_fs = trial->quiet_fs + 10 * options.beacon_fs;
    ordo_net_osmosis_tree_wake(tree, trial->end_fs, 0);
    cr_assert_eq(ordo_net_osmosis_tree_run(tree, &calls, trial, trial->end_fs, NULL), ORDO_OK);
    ordo_net_osmosis_tree_free(tree);
}

Test(osmosis, random_trees_settle_without_loops)
{
    uint64_t most = getenv("ORDO_SOAK") ? 10000 : 400;
    int apart = 0;
    for (uint64_t seed = 1; seed <= most; seed++) {
        struct trial trial;
        play_trial(&trial, seed, false);
        cr_assert_eq(trial.loops, 0, "seed %d", (int)seed);
        cr_assert_eq(trial.swings, 0, "seed %d", (int)seed);
        cr_assert(trial.settled, "seed %d", (int)seed);
        apart += !trial.right;
    }
    cr_expect_gt(apart, 0, "without joining, some neighbours stay in two trees");
}

Test(osmosis, random_sub_domains_join_without_loops)
{
    uint64_t most = getenv("ORDO_SOAK") ? 10000 : 400;
    for (uint64_t seed = 1; seed <= most; seed++) {
        struct trial trial;
        play_trial(&trial, seed, true);
        cr_assert_eq(trial.loops, 0, "seed %d", (int)seed);
        cr_assert_eq(trial.swings, 0, "seed %d", (int)seed);
        cr_assert(trial.right, "seed %d", (int)seed);
    }
}

static struct ordo_net_options small_network(enum ordo_net_shape_kind shape)
{
    struct ordo_net_options options = ordo_net_defaults();
    options.hosts = 40;
    options.shape = shape;
    options.seconds = 0.02;
    return options;
}

static struct ordo_net_outcome play(const char *protocol, const struct ordo_net_options *options)
{
    struct ordo_net_choice choice;
    struct ordo_net_outcome outcome = {.has_edges = false};
    struct ordo_error error = {.text = ""};
    cr_assert_eq(ordo_net_choice_parse(&choice, protocol, &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(choice.protocol->run(options, &choice, &outcome, &error), ORDO_OK, "%s", error.text);
    return outcome;
}

Test(osmosis, only_symmetric_delays_are_compensated)
{
    for (int kind = ORDO_NET_STAR; kind < ORDO_NET_SHAPES; kind++) {
        struct ordo_net_options options = small_network((enum ordo_net_shape_kind)kind);
        struct ordo_net_outcome outcome = play("osmosis", &options);
        /* each hop adds a quarter of a step of 10 ps, and 20 ppm of 500 ns */
        cr_expect_lt(outcome.score.max_ns, outcome.tree.deepest * 0.0135 + 0.001, "%s", ordo_net_shape_name(kind));
        cr_expect(isnan(outcome.score.bound_ns) && outcome.tree.cuts == 0 && outcome.tree.reroutes == 0);
        cr_expect_float_eq(outcome.tree.longest_ns, outcome.tree.deepest * 500.0, 1);
        options.asymmetry_ns = 100;
        cr_expect_gt(play("osmosis", &options).score.max_ns, 5);
    }
}

Test(osmosis, a_lost_channel_of_a_ring_is_replaced)
{
    struct ordo_net_options options = small_network(ORDO_NET_RING);
    options.seconds = 0.1;
    struct ordo_net_outcome outcome = play("osmosis:cuts=5:beacon-us=1000", &options);
    cr_expect_eq(outcome.tree.cuts, 5);
    cr_expect_gt(outcome.tree.reroutes, 0);
    cr_expect(outcome.tree.tagged_share > 0 && outcome.tree.tagged_share < 0.2, "%g", outcome.tree.tagged_share);
    cr_expect_gt(outcome.tree.tagged_worst_ns, 0.1);
    cr_expect_lt(outcome.score.max_ns, 1);
    cr_expect_eq(outcome.tree.register_bits, 17);
}

Test(osmosis, a_too_short_beacon_interval_is_refused)
{
    struct ordo_net_options options = small_network(ORDO_NET_LINE);
    struct ordo_net_choice choice;
    struct ordo_net_outcome outcome;
    struct ordo_error error;
    cr_assert_eq(ordo_net_choice_parse(&choice, "osmosis:beacon-us=10", &error), ORDO_OK);
    cr_expect_eq(choice.protocol->run(&options, &choice, &outcome, &error), ORDO_E_INVALID);
    cr_expect_not_null(strstr(error.text, "larger beacon-us"));
}

Test(osmosis, jitter_accumulates_from_channel_to_channel)
{
    struct ordo_net_options options = small_network(ORDO_NET_LINE);
    options.seconds = 0.1;
    for (int hosts = 2; hosts <= 32; hosts *= 4) {
        options.hosts = hosts;
        double stddev_ns = play("osmosis:jitter-ps=200", &options).score.stddev_ns;
        /* A host after h channels has 200 ps * sqrt(h); the mean of h over all hosts is half their number. */
        cr_expect_float_eq(stddev_ns / (0.2 * sqrt(hosts / 2.0)), 1, 0.2, "%d hosts: %g ns", hosts, stddev_ns);
    }
}

Test(osmosis, sub_domains_join_after_the_loss_of_the_reference)
{
    struct ordo_net_options options = small_network(ORDO_NET_RING);
    options.seconds = 0.1;
    struct ordo_net_outcome apart = play("osmosis:cuts=9:fails-ms=60", &options);
    struct ordo_net_outcome joined = play("osmosis:cuts=9:fails-ms=60:join=yes", &options);
    cr_expect_geq(apart.tree.domains, 2, "%d", apart.tree.domains);
    cr_expect_eq(joined.tree.domains, 2, "host 0, and all others: %d", joined.tree.domains);
    cr_expect_lt(joined.tree.domain_apart_ns, 1);
    cr_expect_eq(play("osmosis", &options).tree.domains, 1);
}

Test(osmosis, a_head_yields_to_the_reference_and_to_a_better_head)
{
    struct ordo_net_osmosis_channel channels[3];
    struct ordo_net_osmosis_process process = process_of(channels);
    process.joining = true;
    cr_expect(ordo_net_osmosis_beacon(&process) && process.says.epoch == 1 && process.says.head == 9);
    cr_expect(ordo_net_osmosis_beacon(&process) && process.says.epoch == 1 && process.says.beacon == 2);
    struct ordo_net_osmosis_advert head = {.master = 12, .head = 12, .epoch = 1, .beacon = 5, .rank = 0};
    cr_expect_not(ordo_net_osmosis_hear(&process, 0, &head), "a greater id");
    head.head = head.master = 4;
    cr_expect(ordo_net_osmosis_hear(&process, 0, &head) && process.says.master == 4 && process.says.rank == 1);
    cr_expect_not(ordo_net_osmosis_beacon(&process), "a follower is no head");
    const struct ordo_net_osmosis_advert reference = advert_of(true, 7, 0, 5);
    cr_expect(ordo_net_osmosis_hear(&process, 1, &reference) && process.says.synchronised && process.says.epoch == 0);
    cr_expect(ordo_net_osmosis_lose(&process, 1) && !process.says.synchronised);
    cr_expect(ordo_net_osmosis_beacon(&process) && process.says.epoch == 1 && process.says.number == 5);
}
