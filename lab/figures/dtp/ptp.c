/* PTP on an idle and on a congested network, beside DTP. */
#include "lab/figures/dtp/dtp.h"
#include "lab/figures/simulate.h"

/* The paper states orders of magnitude: hundreds of nanoseconds on an idle network, up to hundreds of microseconds on a
 * congested one. */
int figure_dtp_ptp(struct ordo_figure_run *run, struct ordo_error *error)
{
    static const double loads[] = {0, 0.4, 0.97};
    static const char *const names[] = {"PTP, idle network", "PTP, 40% load", "PTP, congested network"};
    struct ordo_net_outcome ptp[3], dtp;
    struct ordo_figure_panel *panel =
        ordo_figure_panel(run, "a tree of 12 hosts", "|error| (ns)", "share of smaller errors", ORDO_FIGURE_LOG_X);
    struct ordo_net_options options = ordo_figure_network(run, ORDO_NET_TREE, 12, 30);
    options.traffic.kind = ORDO_NET_BURSTY;
    for (int i = 0; i < 3; i++) {
        options.traffic.load = loads[i];
        int code = ordo_figure_simulate("ptp", &options, &ptp[i], error);
        if (code)
            return code;
        ordo_figure_distribution(panel, names[i], &ptp[i].score);
    }
    options = ordo_figure_ethernet(run, ORDO_NET_TREE, 12, 30);
    int code = ordo_figure_simulate("dtp", &options, &dtp, error);
    if (code)
        return code;
    ordo_figure_distribution(panel, "DTP", &dtp.score);
    ordo_figure_claim(run, ptp[0].score.p99_ns < 1000, "PTP on an idle network is within hundreds of nanoseconds");
    ordo_figure_claim(run, ptp[2].score.max_ns > 100e3,
                      "PTP on a congested network is off by hundreds of microseconds");
    ordo_figure_claim(run, ptp[1].score.p99_ns > ptp[0].score.p99_ns && ptp[2].score.p99_ns > ptp[1].score.p99_ns,
                      "the error of PTP grows with the load");
    ordo_figure_claim(run, dtp.score.bound_held && dtp.score.max_ns < ptp[1].score.p99_ns,
                      "DTP has a bound, whatever the load, and a smaller error than PTP under load");
    return ORDO_OK;
}
