#include "lab/net/osmosis/tree.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

enum { MEASURE, RETURN, ADVERT, BEACON };
enum { CALLER = -1 };

/* A real-time register: its value when it was loaded, and the oscillator that it has counted since. */
struct real_time {
    int64_t loaded_fs, value_fs;
    int clock;
};

struct ordo_net_osmosis_tree {
    struct ordo_net_osmosis_tree_options options;
    int nodes, links;
    struct ordo_net_phy *phy;
    struct ordo_net_osmosis_process *processes;
    struct ordo_net_osmosis_channel *channels; /* channels of all processes, one process after the other */
    int *place;                                /* by link: its number among the links of its sender */
    int *link_of;                              /* by index into `channels`: the link from the process */
    struct real_time *registers;
    const struct ordo_net_osmosis_calls *calls;
    void *context;
};

/* Makes the processes: first counts the channels of each, then lists them. */
static void make_processes(struct ordo_net_osmosis_tree *tree, const struct ordo_net_link *link)
{
    int next = 0;
    for (int node = 0; node < tree->nodes; node++) {
        int first = next;
        for (int i = 0; i < tree->links; i++) {
            if (link[i].from != node)
                continue;
            tree->place[i] = next - first;
            tree->link_of[next] = i;
            tree->channels[next++].neighbour = link[i].to;
        }
        tree->processes[node] = ordo_net_osmosis_process_make(node, node == 0, 0, next - first, &tree->channels[first]);
        tree->processes[node].joining = tree->options.joining;
        tree->registers[node].clock = node;
    }
}

struct ordo_net_osmosis_tree *ordo_net_osmosis_tree_new(const struct ordo_net_osmosis_tree_options *options, int nodes,
                                                        int links, const struct ordo_net_link *link,
                                                        struct ordo_error *error)
{
    struct ordo_net_osmosis_tree *tree = calloc(1, sizeof *tree);
    if (tree) {
        *tree = (struct ordo_net_osmosis_tree){.options = *options, .nodes = nodes, .links = links};
        tree->processes = calloc((size_t)nodes, sizeof *tree->processes);
        tree->registers = calloc((size_t)nodes, sizeof *tree->registers);
        tree->channels = calloc((size_t)links, sizeof *tree->channels);
        tree->place = calloc((size_t)links, sizeof *tree->place);
        tree->link_of = calloc((size_t)links, sizeof *tree->link_of);
        tree->phy = ordo_net_phy_new(&options->phy, nodes, links, link, error);
    }
    if (tree && tree->phy && tree->processes && tree->registers && tree->channels && tree->place && tree->link_of) {
        make_processes(tree, link);
        return tree;
    }
    (void)ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "a tree of %d processes: out of memory", nodes);
    ordo_net_osmosis_tree_free(tree);
    return NULL;
}

void ordo_net_osmosis_tree_free(struct ordo_net_osmosis_tree *tree)
{
    if (!tree)
        return;
    ordo_net_phy_free(tree->phy);
    free(tree->processes);
    free(tree->registers);
    free(tree->channels);
    free(tree->place);
    free(tree->link_of);
    free(tree);
}

/* Returns a span of true time as an oscillator counts it, at the nominal period: a fast oscillator shows a longer
 * span. */
static int64_t span_fs(const struct ordo_net_osmosis_tree *tree, int clock, int64_t true_fs)
{
    int64_t period_fs = ordo_net_phy_oscillator(tree->phy, clock)->period_fs;
    return true_fs + llround((double)true_fs * (double)(tree->options.phy.period_fs - period_fs) / (double)period_fs);
}

int64_t ordo_net_osmosis_tree_register_fs(const struct ordo_net_osmosis_tree *tree, int node)
{
    const struct real_time *at = &tree->registers[node];
    return at->value_fs + span_fs(tree, at->clock, ordo_net_phy_now_fs(tree->phy) - at->loaded_fs);
}

/* Loads the register, which counts the master's clock from now on. */
static void load_register(struct ordo_net_osmosis_tree *tree, int node, int64_t value_fs)
{
    tree->registers[node] = (struct real_time){
        .loaded_fs = ordo_net_phy_now_fs(tree->phy), .value_fs = value_fs, .clock = tree->processes[node].says.master};
}

static int first_link(const struct ordo_net_osmosis_tree *tree, int node)
{
    return (int)(tree->processes[node].channel - tree->channels);
}

static void broadcast(struct ordo_net_osmosis_tree *tree, int node, int kind)
{
    const struct ordo_net_osmosis_advert *says = &tree->processes[node].says;
    const struct ordo_net_word word = {
        .kind = kind,
        .values = {says->synchronised, says->master, says->hops, says->priority, says->delay_fs, says->number,
                   says->rank, ordo_net_osmosis_tree_register_fs(tree, node), says->epoch, says->head, says->beacon}};
    for (int i = 0; i < tree->processes[node].channels; i++)
        ordo_net_phy_send(tree->phy, tree->link_of[first_link(tree, node) + i], &word);
}

static void report_change(const struct ordo_net_osmosis_tree *tree, int node)
{
    if (tree->calls->change)
        tree->calls->change(tree->context, tree, node);
}

/* Handles a change of a process's advert: its register continues from its present value by the clock of its present
 * master. */
static void changed(struct ordo_net_osmosis_tree *tree, int node)
{
    load_register(tree, node, ordo_net_osmosis_tree_register_fs(tree, node));
    report_change(tree, node);
    broadcast(tree, node, ADVERT);
}

static struct ordo_net_osmosis_advert read_advert(const struct ordo_net_word *word)
{
    return (struct ordo_net_osmosis_advert){.synchronised = word->values[0] != 0,
                                            .master = (int)word->values[1],
                                            .hops = (int)word->values[2],
                                            .priority = (int)word->values[3],
                                            .delay_fs = word->values[4],
                                            .number = word->values[5],
                                            .rank = (int)word->values[6],
                                            .epoch = word->values[8],
                                            .head = (int)word->values[9],
                                            .beacon = word->values[10]};
}

/* Takes a word. Only a beacon of the master loads the register and is forwarded, so beacons go down the tree. */
static void hear(struct ordo_net_osmosis_tree *tree, int node, int channel, const struct ordo_net_word *word)
{
    struct ordo_net_osmosis_process *process = &tree->processes[node];
    const struct ordo_net_osmosis_advert advert = read_advert(word);
    bool is_new = ordo_net_osmosis_hear(process, channel, &advert);
    if (word->kind == BEACON && process->followed == channel) {
        load_register(tree, node, word->values[7] + process->channel[channel].delay_fs);
        report_change(tree, node);
        broadcast(tree, node, BEACON);
    } else if (is_new)
        changed(tree, node);
}

/* Takes the returned command of a measurement: the delay is half of the round trip, in steps of the phase. */
static void measured(struct ordo_net_osmosis_tree *tree, int node, int channel, int64_t sent_fs)
{
    int64_t phase_fs = tree->options.phase_fs;
    int64_t there_and_back_fs = span_fs(tree, node, ordo_net_phy_now_fs(tree->phy) - sent_fs);
    int64_t stepped_fs = (there_and_back_fs + phase_fs / 2) / phase_fs * phase_fs;
    if (ordo_net_osmosis_measured(&tree->processes[node], channel, stepped_fs / 2))
        changed(tree, node);
    broadcast(tree, node, ADVERT); /* the neighbour may not have an advert of this process yet */
}

static void arrive_osmosis(void *context, struct ordo_net_phy *phy, int link, const struct ordo_net_word *word)
{
    struct ordo_net_osmosis_tree *tree = context;
    int node = ordo_net_phy_link(phy, link)->to, back = link ^ 1;
    if (word->kind == MEASURE)
        ordo_net_phy_send(phy, back, &(struct ordo_net_word){.kind = RETURN, .values = {word->values[0]}});
    else if (word->kind == RETURN)
        measured(tree, node, tree->place[back], word->values[0]);
    else
        hear(tree, node, tree->place[back], word);
}

static void wake_process(void *context, struct ordo_net_phy *phy, int node, int token)
{
    struct ordo_net_osmosis_tree *tree = context;
    if (node == CALLER) {
        tree->calls->wake(tree->context, tree, token);
        return;
    }
    ordo_net_phy_wake(phy, ordo_net_phy_now_fs(phy) + tree->options.beacon_fs, node, 0);
    if (ordo_net_osmosis_beacon(&tree->processes[node]))
        broadcast(tree, node, BEACON);
}

void ordo_net_osmosis_tree_wake(struct ordo_net_osmosis_tree *tree, int64_t true_fs, int token)
{
    ordo_net_phy_wake(tree->phy, true_fs, CALLER, token);
}

void ordo_net_osmosis_tree_cut(struct ordo_net_osmosis_tree *tree, int channel)
{
    if (ordo_net_phy_is_cut(tree->phy, channel))
        return;
    ordo_net_phy_cut(tree->phy, channel);
    for (int link = 2 * channel; link <= 2 * channel + 1; link++) {
        int node = ordo_net_phy_link(tree->phy, link)->from;
        if (ordo_net_osmosis_lose(&tree->processes[node], tree->place[link]))
            changed(tree, node);
    }
}

/* Joins a channel. Each end measures the delay for itself. */
static void join_channel(struct ordo_net_osmosis_tree *tree, int channel)
{
    for (int link = 2 * channel; link <= 2 * channel + 1; link++) {
        int node = ordo_net_phy_link(tree->phy, link)->from;
        ordo_net_osmosis_join(&tree->processes[node], tree->place[link]);
        int64_t now_fs = ordo_net_phy_now_fs(tree->phy);
        ordo_net_phy_send(tree->phy, link, &(struct ordo_net_word){.kind = MEASURE, .values = {now_fs}});
    }
}

void ordo_net_osmosis_tree_join(struct ordo_net_osmosis_tree *tree, int channel)
{
    if (!ordo_net_phy_is_cut(tree->phy, channel))
        return;
    ordo_net_phy_join(tree->phy, channel);
    join_channel(tree, channel);
}

int ordo_net_osmosis_tree_run(struct ordo_net_osmosis_tree *tree, const struct ordo_net_osmosis_calls *calls,
                              void *context, int64_t end_fs, struct ordo_error *error)
{
    static const struct ordo_net_phy_calls own = {arrive_osmosis, wake_process};
    tree->calls = calls;
    tree->context = context;
    for (int channel = 0; channel < tree->links / 2; channel++)
        join_channel(tree, channel);
    for (int node = 0; node < tree->nodes; node++)
        ordo_net_phy_wake(tree->phy, tree->options.beacon_fs / tree->nodes * node, node, 0);
    return ordo_net_phy_run(tree->phy, &own, tree, end_fs, error);
}

int64_t ordo_net_osmosis_tree_now_fs(const struct ordo_net_osmosis_tree *tree)
{
    return ordo_net_phy_now_fs(tree->phy);
}

const struct ordo_net_osmosis_process *ordo_net_osmosis_tree_process(const struct ordo_net_osmosis_tree *tree, int node)
{
    return &tree->processes[node];
}

int ordo_net_osmosis_tree_master(const struct ordo_net_osmosis_tree *tree, int node)
{
    const struct ordo_net_osmosis_process *process = &tree->processes[node];
    return process->followed < 0 ? -1 : process->channel[process->followed].neighbour;
}
