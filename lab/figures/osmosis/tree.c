/* Figure 2: the tree of processes, a cut channel and its replacement; and sub-domains without a reference. */
#include <stdio.h>

#include "lab/figures/osmosis/osmosis.h"
#include "lab/figures/simulate.h"
#include "lab/net/osmosis/figure2.h"

enum { BEFORE, AT_CUT, TAGGED, AFTER, HEAD = 10, REDUNDANT = 12, REDUNDANT_FROM = 9 };

static const struct ordo_net_figure2_process *process_at(const struct ordo_net_figure2 *figure, int moment, int node)
{
    return &figure->moments[moment].process[node];
}

/* Section 5, case 1: every process has one hop more than its master, and P0 is the root. */
static bool counts_hops(const struct ordo_net_figure2 *figure, int moment)
{
    for (int node = 1; node < ORDO_NET_FIGURE2_PROCESSES; node++) {
        const struct ordo_net_figure2_process *at = process_at(figure, moment, node);
        if (!at->synchronised || at->master != 0 || at->hops != process_at(figure, moment, at->follows)->hops + 1)
            return false;
    }
    return true;
}

/* Case 2: P10 is the pseudo-master of P10 to P14, which are all tagged. */
static bool is_sub_domain_tagged(const struct ordo_net_figure2 *figure)
{
    bool tagged = process_at(figure, AT_CUT, HEAD)->follows < 0;
    for (int node = HEAD; node < ORDO_NET_FIGURE2_PROCESSES; node++)
        tagged = tagged && !process_at(figure, TAGGED, node)->synchronised &&
                 process_at(figure, TAGGED, node)->master == HEAD;
    return tagged;
}

/* Draws the way from the root of a process to the process, and back. All ways of a tree make one line. */
static void draw_way(struct ordo_figure_curve *const curve[2], const struct ordo_net_figure2 *figure, int moment,
                     int node)
{
    int way[ORDO_NET_FIGURE2_PROCESSES], length = 0;
    for (int at = node; at >= 0 && length < ORDO_NET_FIGURE2_PROCESSES; at = process_at(figure, moment, at)->follows)
        way[length++] = at;
    for (int i = length - 1; i > -length; i--) {
        int at = way[i < 0 ? -i : i];
        ordo_figure_point(curve[way[length - 1] != 0], at, -process_at(figure, moment, at)->hops);
    }
}

static void draw_moments(struct ordo_figure_run *run, const struct ordo_net_figure2 *figure)
{
    for (int moment = 0; moment < ORDO_NET_FIGURE2_MOMENTS; moment++) {
        struct ordo_figure_panel *panel = ordo_figure_panel(run, figure->moments[moment].title, "process",
                                                            "hops to the root (negative)", ORDO_FIGURE_LINEAR);
        struct ordo_figure_curve *curve[] = {ordo_figure_curve(panel, "below P0", ORDO_FIGURE_LINE),
                                             ordo_figure_curve(panel, "sub-domain of P10", ORDO_FIGURE_LINE)};
        for (int node = 0; node < ORDO_NET_FIGURE2_PROCESSES; node++)
            draw_way(curve, figure, moment, node);
    }
}

int figure_osmosis_tree(struct ordo_figure_run *run, struct ordo_error *error)
{
    struct ordo_net_figure2 figure;
    int code = ordo_net_figure2_replay(&figure, ordo_figure_seed(run), error);
    if (code)
        return code;
    draw_moments(run, &figure);
    ordo_figure_claim(run, counts_hops(&figure, BEFORE),
                      "P0 is the root, and hops are counted from process to process");
    ordo_figure_claim(run, is_sub_domain_tagged(&figure), "P10 becomes the pseudo-master of P10 to P14, and tags them");
    ordo_figure_claim(run, process_at(&figure, AFTER, REDUNDANT)->follows == REDUNDANT_FROM,
                      "the redundant channel from P9 to P12 becomes the synchronising channel");
    ordo_figure_claim(run, counts_hops(&figure, AFTER), "the whole sub-domain is synchronised by P0 again");
    ordo_figure_claim(run, figure.loops == 0 && ordo_net_figure2_is_right(&figure),
                      "there is no loop at any moment, and nothing else is reconfigured");
    return ORDO_OK;
}

/* Section 2: sub-domains that have lost the reference. The report only says that they lose synchronisation to it. */
int figure_osmosis_domains(struct ordo_figure_run *run, struct ordo_error *error)
{
    struct ordo_net_options options = ordo_figure_network(run, ORDO_NET_FAT_TREE, 54, 0.2);
    struct ordo_net_outcome outcome;
    struct ordo_figure_panel *panel = ordo_figure_panel(run, "host 0 fails, and 1 to 16 channels are lost for a while",
                                                        "lost channels", "trees at the end", ORDO_FIGURE_LINEAR);
    struct ordo_figure_curve *curve = ordo_figure_curve(panel, "sub-domains join", ORDO_FIGURE_POINTS);
    bool joined = true, together = true;
    for (int cuts = 1; cuts <= 16; cuts *= 2) {
        char protocol[80];
        (void)snprintf(protocol, sizeof protocol, "osmosis:join=yes:fails-ms=120:cuts=%d", cuts);
        int code = ordo_figure_simulate(protocol, &options, &outcome, error);
        if (code)
            return code;
        ordo_figure_point(curve, cuts, outcome.tree.domains);
        joined = joined && outcome.tree.domains == 2; /* host 0 alone, and all others */
        together = together && outcome.tree.domain_apart_ns < 1;
    }
    ordo_figure_claim(run, joined, "after the loss of the reference all processes with channels are in one tree");
    ordo_figure_claim(run, together, "the registers of a sub-domain stay together without the reference");
    return ORDO_OK;
}
