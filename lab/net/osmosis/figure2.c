#include "lab/net/osmosis/figure2.h"

#include <string.h>

enum { BEFORE, AT_CUT, TAGGED, AFTER };

enum { CUT_PROCESS = 10, HEAD = 12, REDUNDANT_FROM = 9, BEACON_US = 20, DELAY_NS = 50, LONGER_NS = 20 };

static const int64_t us_fs = 1000000000, ns_fs = 1000000;

static const struct ordo_net_link channels[ORDO_NET_FIGURE2_CHANNELS] = {
    {0, 1}, {0, 2},  {0, 3},   {1, 4},   {2, 5},   {2, 6},   {3, 7}, {5, 8},
    {8, 9}, {7, 10}, {10, 11}, {10, 12}, {12, 13}, {12, 14}, {9, 12}};

struct replay {
    struct ordo_net_figure2 *figure;
    int64_t cut_fs;
};

static void take_snapshot(struct ordo_net_figure2 *figure, const struct ordo_net_osmosis_tree *tree, int moment,
                          int64_t cut_fs)
{
    figure->moments[moment].after_cut_fs = ordo_net_osmosis_tree_now_fs(tree) - cut_fs;
    for (int node = 0; node < ORDO_NET_FIGURE2_PROCESSES; node++) {
        const struct ordo_net_osmosis_advert *says = &ordo_net_osmosis_tree_process(tree, node)->says;
        figure->moments[moment].process[node] = (struct ordo_net_figure2_process){
            ordo_net_osmosis_tree_master(tree, node), says->master, says->hops, says->synchronised};
    }
}

/* Returns the number of synchronised processes of the sub-domain. */
static int synchronised(const struct ordo_net_osmosis_tree *tree)
{
    int count = 0;
    for (int node = CUT_PROCESS; node < ORDO_NET_FIGURE2_PROCESSES; node++)
        count += ordo_net_osmosis_tree_process(tree, node)->says.synchronised;
    return count;
}

static void change_figure2(void *context, const struct ordo_net_osmosis_tree *tree, int node)
{
    struct replay *replay = context;
    struct ordo_net_figure2 *figure = replay->figure;
    int64_t after_fs = ordo_net_osmosis_tree_now_fs(tree) - replay->cut_fs;
    int at = node;
    for (int i = 0; i < ORDO_NET_FIGURE2_PROCESSES && at >= 0; i++)
        at = ordo_net_osmosis_tree_master(tree, at);
    figure->loops += at >= 0;
    if (after_fs < 0)
        return;
    if (figure->tagged_fs < 0 && synchronised(tree) == 0) {
        figure->tagged_fs = after_fs;
        take_snapshot(figure, tree, TAGGED, replay->cut_fs);
    } else if (figure->tagged_fs >= 0 && figure->rerooted_fs < 0 &&
               synchronised(tree) == ORDO_NET_FIGURE2_PROCESSES - CUT_PROCESS)
        figure->rerooted_fs = after_fs;
}

static void wake_figure2(void *context, struct ordo_net_osmosis_tree *tree, int moment)
{
    struct replay *replay = context;
    if (moment == AT_CUT)
        ordo_net_osmosis_tree_cut(tree, ORDO_NET_FIGURE2_CUT);
    take_snapshot(replay->figure, tree, moment, replay->cut_fs);
}

static int run_figure2(struct replay *replay, uint64_t seed, struct ordo_error *error)
{
    static const struct ordo_net_osmosis_calls calls = {wake_figure2, change_figure2};
    const struct ordo_net_osmosis_tree_options options = {.phy = {.period_fs = 8 * ns_fs,
                                                                  .skew_ppb = 20000,
                                                                  .delay_fs = DELAY_NS * ns_fs,
                                                                  .asymmetry_fs = LONGER_NS * ns_fs,
                                                                  .seed = seed},
                                                          .beacon_fs = BEACON_US * us_fs,
                                                          .phase_fs = 10000};
    struct ordo_net_link links[2 * ORDO_NET_FIGURE2_CHANNELS];
    for (int i = 0; i < ORDO_NET_FIGURE2_CHANNELS; i++) {
        links[2 * i] = channels[i];
        links[2 * i + 1] = (struct ordo_net_link){channels[i].to, channels[i].from};
    }
    struct ordo_net_osmosis_tree *tree =
        ordo_net_osmosis_tree_new(&options, ORDO_NET_FIGURE2_PROCESSES, 2 * ORDO_NET_FIGURE2_CHANNELS, links, error);
    if (!tree)
        return ORDO_E_SYSTEM;
    ordo_net_osmosis_tree_wake(tree, replay->cut_fs - us_fs, BEFORE);
    ordo_net_osmosis_tree_wake(tree, replay->cut_fs, AT_CUT);
    ordo_net_osmosis_tree_wake(tree, replay->cut_fs + 5 * options.beacon_fs, AFTER);
    int code = ordo_net_osmosis_tree_run(tree, &calls, replay, replay->cut_fs + 6 * options.beacon_fs, error);
    ordo_net_osmosis_tree_free(tree);
    return code;
}

int ordo_net_figure2_replay(struct ordo_net_figure2 *figure, uint64_t seed, struct ordo_error *error)
{
    static const char *const titles[] = {"before the cut", "at the cut", "all tagged", "after"};
    struct replay replay = {.figure = figure, .cut_fs = 5 * BEACON_US * us_fs + BEACON_US * us_fs / 3};
    *figure = (struct ordo_net_figure2){.beacon_fs = BEACON_US * us_fs, .tagged_fs = -1, .rerooted_fs = -1};
    memcpy(figure->channel, channels, sizeof channels);
    for (int i = 0; i < ORDO_NET_FIGURE2_MOMENTS; i++)
        figure->moments[i].title = titles[i];
    return run_figure2(&replay, seed, error);
}

static bool is_sub_domain(int node)
{
    return node >= CUT_PROCESS;
}

/* True if the processes outside the sub-domain are unchanged. */
static bool is_kept(const struct ordo_net_figure2 *figure)
{
    for (int node = 0; node < CUT_PROCESS; node++)
        for (int moment = BEFORE; moment <= AFTER; moment++) {
            const struct ordo_net_figure2_process *at = &figure->moments[moment].process[node];
            if (!at->synchronised || at->follows != figure->moments[BEFORE].process[node].follows)
                return false;
        }
    return true;
}

bool ordo_net_figure2_is_right(const struct ordo_net_figure2 *figure)
{
    static const int after[] = {12, 10, 9, 12, 12}; /* the processes that P10 to P14 follow in the end */
    const struct ordo_net_figure2_process *head = &figure->moments[AT_CUT].process[CUT_PROCESS];
    bool right = head->follows < 0 && head->master == CUT_PROCESS && !head->synchronised && is_kept(figure);
    right = right && figure->loops == 0 && figure->tagged_fs >= 0 && figure->rerooted_fs > figure->tagged_fs;
    for (int node = 0; node < ORDO_NET_FIGURE2_PROCESSES; node++) {
        const struct ordo_net_figure2_process *before = &figure->moments[BEFORE].process[node],
                                              *tagged = &figure->moments[TAGGED].process[node],
                                              *end = &figure->moments[AFTER].process[node];
        right = right && before->synchronised && end->synchronised && end->master == 0;
        if (is_sub_domain(node))
            right = right && !tagged->synchronised && tagged->master == CUT_PROCESS &&
                    end->follows == after[node - CUT_PROCESS];
    }
    return right && figure->moments[AFTER].process[HEAD].follows == REDUNDANT_FROM;
}
