/* The largest difference of counters, by the time between beacons and by the number of hops. */
#include <stdio.h>

#include "lab/figures/dtp/dtp.h"
#include "lab/figures/simulate.h"

static const double tick_ns = ORDO_NET_DTP_PERIOD_FS * 1e-6;

/* Runs a line of devices whose oscillators are as far apart as Ethernet allows. */
static int run_line(const struct ordo_figure_run *run, int hops, int beacon_ticks, int ticks,
                    struct ordo_net_counters *counters, struct ordo_error *error)
{
    char protocol[100];
    struct ordo_net_outcome outcome;
    struct ordo_net_options options = ordo_figure_ethernet(run, ORDO_NET_LINE, hops + 1, 1000);
    options.clock.skew_ppb = 99945; /* the period is a whole number of femtoseconds: still within 100 ppm */
    (void)snprintf(protocol, sizeof protocol, "dtp:oscillators=extreme:beacon-ticks=%d:ticks=%d", beacon_ticks, ticks);
    int code = ordo_figure_simulate(protocol, &options, &outcome, error);
    *counters = outcome.counters;
    return code;
}

int figure_dtp_beacon(struct ordo_figure_run *run, struct ordo_error *error)
{
    static const int intervals[] = {200, 500, 1200, 2500, 4000, 5000, 10000, 20000, 40000};
    struct ordo_figure_panel *panel = ordo_figure_panel(run, "six hops", "ticks between two beacons",
                                                        "largest difference (ticks)", ORDO_FIGURE_LOG_X);
    struct ordo_figure_curve *any = ordo_figure_curve(panel, "any two devices", ORDO_FIGURE_LINE);
    struct ordo_figure_curve *bound = ordo_figure_curve(panel, "4 D", ORDO_FIGURE_LINE);
    bool held = true, broken = false;
    for (int i = 0; i < 9; i++) {
        struct ordo_net_counters counters;
        int code = run_line(run, 6, intervals[i], 20000000, &counters, error);
        if (code)
            return code;
        ordo_figure_point(any, intervals[i], (double)counters.worst_ticks);
        ordo_figure_point(bound, intervals[i], (double)counters.bound_ticks);
        held = held && (intervals[i] > 5000 || counters.violations == 0);
        broken = broken || counters.violations > 0;
    }
    ordo_figure_claim(run, held, "with beacons at most 5000 ticks apart, differences stay within 4 ticks for each hop");
    ordo_figure_claim(run, broken, "with beacons further apart, drift breaks the bound");
    return ORDO_OK;
}

/* A difference may reach the bound, and not exceed it: the factor is 1. */
int figure_dtp_hops(struct ordo_figure_run *run, struct ordo_error *error)
{
    struct ordo_figure_panel *panel =
        ordo_figure_panel(run, "beacons each 200 ticks", "hops D", "largest difference (ns)", ORDO_FIGURE_LINEAR);
    struct ordo_figure_curve *bound = ordo_figure_curve(panel, "4 T D", ORDO_FIGURE_LINE);
    struct ordo_figure_curve *line = ordo_figure_curve(panel, "devices in a row", ORDO_FIGURE_POINTS);
    struct ordo_net_options options = ordo_figure_ethernet(run, ORDO_NET_FAT_TREE, 16, 1);
    struct ordo_net_counters counters;
    struct ordo_net_outcome outcome;
    bool rates = true;
    double worst_ns[7];
    for (int hops = 1; hops <= 6; hops++) {
        int code = run_line(run, hops, 200, 100000000, &counters, error);
        if (code)
            return code;
        worst_ns[hops] = (double)counters.worst_ticks * tick_ns;
        rates = rates && counters.rate_held;
        ordo_figure_point(bound, hops, (double)counters.bound_ticks * tick_ns);
        ordo_figure_point(line, hops, worst_ns[hops]);
    }
    int code = ordo_figure_simulate("dtp", &options, &outcome, error);
    if (code)
        return code;
    double tree_ns = (double)outcome.counters.worst_ticks * tick_ns;
    ordo_figure_point(ordo_figure_curve(panel, "a fat tree of 16 hosts", ORDO_FIGURE_POINTS), outcome.counters.hops,
                      tree_ns);
    ordo_figure_value(run, "two devices, largest difference", "ns", 25.6, worst_ns[1], ORDO_FIGURE_LIMIT, 1);
    ordo_figure_value(run, "six hops in a row", "ns", 153.6, worst_ns[6], ORDO_FIGURE_LIMIT, 1);
    ordo_figure_value(run, "a fat tree with six hops", "ns", 153.6, tree_ns, ORDO_FIGURE_LIMIT, 1);
    ordo_figure_claim(run, rates, "no counter runs faster than the fastest oscillator");
    return ORDO_OK;
}
