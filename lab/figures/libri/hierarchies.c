/* Figure 4: the trees of masters and slaves that best-master selection builds, the strata that hosts of NTP build, and
 * the number of clocks at each level. Each host of NTP asks two hosts, as in the sketch. */
#include "lab/figures/libri/libri.h"

enum { HOSTS = 64, ASKED = 2 };

/* Builds the strata, and claims their properties. */
static int build_strata(struct ordo_figure_run *run, struct ordo_error *error)
{
    const struct ordo_net_options options = ordo_net_testbed_network(HOSTS, 4, ordo_figure_seed(run));
    struct ordo_net_ntp ntp = ordo_net_ntp_defaults();
    struct ordo_net_ntp_outcome outcome;
    struct ordo_net_score score;
    ntp.peers = ASKED;
    int code = ordo_net_ntp_run(&options, &ntp, &score, &outcome, error);
    if (code)
        return code;
    struct ordo_figure_panel *panel =
        ordo_figure_panel(run, "NTP, each of 63 hosts asks two others", "stratum", "hosts", ORDO_FIGURE_LINEAR);
    struct ordo_figure_curve *curve = ordo_figure_curve(panel, "hosts", ORDO_FIGURE_STEPS);
    int lowest = 0;
    for (int i = 1; i <= ORDO_NET_NTP_UNSYNCHRONISED; i++) {
        ordo_figure_point(curve, i, outcome.clocks[i]);
        lowest = outcome.clocks[i] ? i : lowest;
    }
    ordo_figure_claim(run, outcome.clocks[1] == 1 && lowest > 2 && lowest < ORDO_NET_NTP_UNSYNCHRONISED,
                      "NTP: the server has stratum 1, there are several strata below, and no host is unsynchronised");
    ordo_figure_claim(run, outcome.shortest == HOSTS, "NTP: the paths to the server are a tree of shortest paths");
    return ORDO_OK;
}

static int build_tree(const struct ordo_figure_run *run, enum ordo_net_shape_kind shape, int fails_ms,
                      struct ordo_net_ptp_found *found, struct ordo_error *error)
{
    struct ordo_net_options options = ordo_net_testbed_network(HOSTS, 4, ordo_figure_seed(run));
    struct ordo_net_ptp ptp = ordo_net_ptp_defaults();
    struct ordo_net_score score;
    options.shape = shape;
    options.traffic.gbps = 1;
    ptp.clocks = ORDO_NET_PTP_BOUNDARY;
    ptp.sync_ms = 20;
    ptp.fails_ms = fails_ms;
    return ordo_net_ptp_run(&options, &ptp, &score, found, error);
}

static int count_clocks(const struct ordo_net_ptp_found *found)
{
    int count = 0;
    for (int i = 0; i < ORDO_NET_PTP_STEPS; i++)
        count += found->clocks[i];
    return count;
}

static void draw_levels(struct ordo_figure_panel *panel, const char *name, const struct ordo_net_ptp_found *found)
{
    struct ordo_figure_curve *curve = ordo_figure_curve(panel, name, ORDO_FIGURE_STEPS);
    for (int i = 0; i < ORDO_NET_PTP_STEPS && (i == 0 || found->clocks[i - 1]); i++)
        ordo_figure_point(curve, i, found->clocks[i]);
}

int ordo_libri_hierarchies(struct ordo_figure_run *run, struct ordo_error *error)
{
    struct ordo_net_ptp_found tree, ring, lost;
    int code = build_tree(run, ORDO_NET_TREE, 0, &tree, error);
    if (!code)
        code = build_tree(run, ORDO_NET_RING, 0, &ring, error);
    if (!code)
        code = build_tree(run, ORDO_NET_TREE, 2000, &lost, error);
    if (code)
        return code;
    struct ordo_figure_panel *panel = ordo_figure_panel(run, "64 ordinary clocks below boundary clocks",
                                                        "steps from the grandmaster", "clocks", ORDO_FIGURE_LINEAR);
    draw_levels(panel, "tree of switches", &tree);
    draw_levels(panel, "ring of switches", &ring);
    ordo_figure_claim(run, tree.grandmaster == 0 && tree.clocks[0] == 1,
                      "the clock with the reference is the grandmaster, and the only root");
    ordo_figure_claim(
        run, tree.slaves == count_clocks(&tree) - 1 && ring.slaves == count_clocks(&ring) - 1,
        "every other clock has one port that is a slave, and its other ports are masters of clocks below");
    ordo_figure_claim(run, tree.passive == 0 && ring.passive == 1,
                      "a port is passive only where a link would close a loop");
    ordo_figure_claim(run, lost.grandmaster == 1, "if the grandmaster is lost, the next best clock takes its role");
    return build_strata(run, error);
}
