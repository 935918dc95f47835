/* Figure 1: a switch with 64 participants, whose clocks follow that of the switch. */
#include <math.h>
#include <stdio.h>

#include "lab/figures/osmosis/osmosis.h"
#include "lab/figures/simulate.h"
#include "lab/net/osmosis/tree.h"

enum { PARTICIPANTS = 64, MOMENTS = 100, BEACON_US = 20, PHASE_PS = 10, DELAY_NS = 50, SKEW_PPB = 100000 };

static const int64_t us_fs = 1000000000, ns_fs = 1000000;

struct watched {
    struct ordo_figure_curve *own, *recovered;
    double worst_ps;  /* the largest phase of a participant, after the first beacons */
    int synchronised; /* participants at the end */
};

static void wake_switch(void *context, struct ordo_net_osmosis_tree *tree, int moment)
{
    struct watched *watched = context;
    double time_us = (double)ordo_net_osmosis_tree_now_fs(tree) / (double)us_fs;
    watched->synchronised = 0;
    for (int node = 1; node <= PARTICIPANTS; node++) {
        int64_t apart_fs = ordo_net_osmosis_tree_register_fs(tree, node) - ordo_net_osmosis_tree_register_fs(tree, 0);
        bool follows = ordo_net_osmosis_tree_process(tree, node)->says.synchronised;
        watched->synchronised += follows;
        ordo_figure_point(follows ? watched->recovered : watched->own, time_us, (double)apart_fs * 1e-3);
        if (moment > MOMENTS / 2)
            watched->worst_ps = fmax(watched->worst_ps, fabs((double)apart_fs) * 1e-3);
    }
}

int figure_osmosis_switch(struct ordo_figure_run *run, struct ordo_error *error)
{
    static const struct ordo_net_osmosis_calls calls = {wake_switch, NULL};
    const struct ordo_net_osmosis_tree_options options = {.phy = {.period_fs = 8 * ns_fs,
                                                                  .skew_ppb = SKEW_PPB,
                                                                  .delay_fs = DELAY_NS * ns_fs,
                                                                  .seed = ordo_figure_seed(run)},
                                                          .beacon_fs = BEACON_US * us_fs,
                                                          .phase_fs = PHASE_PS * 1000};
    struct ordo_net_link links[2 * PARTICIPANTS];
    struct ordo_figure_panel *panel = ordo_figure_panel(run, "64 participants of a switch", "time (us)",
                                                        "phase from the switch (ps)", ORDO_FIGURE_LINEAR);
    struct watched watched = {.own = ordo_figure_curve(panel, "by its own oscillator", ORDO_FIGURE_POINTS),
                              .recovered = ordo_figure_curve(panel, "by the clock of the switch", ORDO_FIGURE_POINTS)};
    for (int i = 0; i < PARTICIPANTS; i++) {
        links[2 * i] = (struct ordo_net_link){0, i + 1};
        links[2 * i + 1] = (struct ordo_net_link){i + 1, 0};
    }
    struct ordo_net_osmosis_tree *tree =
        ordo_net_osmosis_tree_new(&options, PARTICIPANTS + 1, 2 * PARTICIPANTS, links, error);
    if (!tree)
        return ORDO_E_SYSTEM;
    for (int i = 1; i <= MOMENTS; i++)
        ordo_net_osmosis_tree_wake(tree, i * us_fs, i);
    int code = ordo_net_osmosis_tree_run(tree, &calls, &watched, MOMENTS * us_fs, error);
    ordo_net_osmosis_tree_free(tree);
    if (code)
        return code;
    /* A fact: the size of the switch. */
    ordo_figure_value(run, "synchronised participants of a switch", "", 64, watched.synchronised, ORDO_FIGURE_EQUAL, 1);
    /* Half of half a step of the measured round trip, and the rates of both clocks over the delay. */
    ordo_figure_claim(run, watched.worst_ps <= PHASE_PS / 4.0 + 2e-9 * SKEW_PPB * DELAY_NS * 1e3 + 1,
                      "phases and frequencies of all participants agree, to the resolution of the measured delay");
    return ORDO_OK;
}

/* Section 5: "measure-delay", and the number of bits of a real-time register. */
int figure_osmosis_delay(struct ordo_figure_run *run, struct ordo_error *error)
{
    static const int steps_ps[] = {10, 130, 1700, 7700}; /* no divisors of the delay */
    struct ordo_net_outcome outcome;
    struct ordo_net_options options = ordo_figure_network(run, ORDO_NET_TREE, 64, 0.02);
    struct ordo_figure_panel *panel = ordo_figure_panel(run, "a tree of 64 hosts", "step of a measured delay (ps)",
                                                        "largest error (ps)", ORDO_FIGURE_LOG_X | ORDO_FIGURE_LOG_Y);
    struct ordo_figure_curve *curve = ordo_figure_curve(panel, "compensated delays", ORDO_FIGURE_POINTS);
    bool within = true;
    double finest_ps = 0;
    for (int i = 0; i < 4; i++) {
        char protocol[60];
        (void)snprintf(protocol, sizeof protocol, "osmosis:phase-ps=%d", steps_ps[i]);
        int code = ordo_figure_simulate(protocol, &options, &outcome, error);
        if (code)
            return code;
        double worst_ps = outcome.score.max_ns * 1e3, hops = outcome.tree.deepest;
        ordo_figure_point(curve, steps_ps[i], worst_ps);
        /* Each channel adds half of half a step, and 40 ppm of 500 ns: both clocks may be off by 20 ppm. */
        within = within && worst_ps <= hops * (steps_ps[i] / 4.0 + 21) + 1;
        finest_ps = i == 0 ? worst_ps : finest_ps;
    }
    options.asymmetry_ns = 100;
    int code = ordo_figure_simulate("osmosis", &options, &outcome, error);
    if (code)
        return code;
    struct ordo_net_outcome refused;
    bool too_often = ordo_figure_simulate("osmosis:beacon-us=1", &options, &refused, NULL) == ORDO_E_INVALID;
    ordo_figure_claim(run, within && finest_ps < 150,
                      "half of the measured round trip compensates the delay, up to its resolution");
    ordo_figure_claim(run, outcome.score.max_ns > 5, "only the difference of the two directions is not compensated");
    ordo_figure_claim(run, ordo_net_osmosis_register_bits(125e6, 1e3) == 17,
                      "the length of a register follows from the two frequencies: 125,000 counts in 1 ms are 17 bits");
    ordo_figure_claim(run, too_often, "the longest path limits the frequency of the beacons");
    return ORDO_OK;
}
