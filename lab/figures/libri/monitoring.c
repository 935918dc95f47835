/* Figure 2: a monitoring device on each node of all racks sends samples with stamps to one place. The devices sample
 * 200,000 times per second (section I), so samples of several nodes belong together if the clocks agree to within 5 us.
 *
 * 64 nodes in racks of 8 on a tree of switches of 1 Gbit/s, with 20% of other traffic. */
#include "lab/figures/libri/libri.h"

enum { NODES = 64, SAMPLE_NS = 1000000000 / 200000 };

static const double ptp_seconds = 120, ntp_seconds = 2000;

int ordo_libri_monitoring(struct ordo_figure_run *run, struct ordo_error *error)
{
    struct ordo_net_options options = ordo_net_testbed_network(NODES, ptp_seconds, ordo_figure_seed(run));
    struct ordo_net_ptp ptp = ordo_net_testbed_ptp(12);
    struct ordo_net_ntp ntp = ordo_net_testbed_ntp();
    struct ordo_net_score by_ptp, by_ntp;
    options.shape = ORDO_NET_TREE;
    options.traffic.gbps = 1;
    options.traffic.load = 0.2;
    ptp.clocks = ORDO_NET_PTP_TRANSPARENT;
    ptp.judgements = ntp.judgements = 1000;
    int code = ordo_net_ptp_run(&options, &ptp, &by_ptp, NULL, error);
    options.seconds = ntp_seconds;
    if (!code)
        code = ordo_net_ntp_run(&options, &ntp, &by_ntp, NULL, error);
    if (code)
        return code;
    struct ordo_figure_panel *panel =
        ordo_figure_panel(run, "64 devices in racks of 8", "offset from the server, us", "share, %", ORDO_FIGURE_LOG_X);
    ordo_libri_draw_distribution(panel, "PTP, transparent switches", &by_ptp, 1000);
    ordo_libri_draw_distribution(panel, "NTP", &by_ntp, 1000);
    ordo_figure_claim(run, by_ptp.p99_ns < SAMPLE_NS,
                      "with PTP, 99% of the stamps of all devices are within one sample of 200,000 per second");
    ordo_figure_claim(run, by_ntp.p99_ns > SAMPLE_NS && by_ntp.p99_ns < 1e6,
                      "with NTP they are not, but they are within 1 ms, below the resolution of sensors of power");
    return ORDO_OK;
}
