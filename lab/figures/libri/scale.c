/* Section IV.B.2: the traffic of a server or master for each client, counted packet by packet, and the number of clients
 * whose traffic fills a tenth of a link.
 *
 * The document has a misprint: it gives the share of an NTP client on a gigabit link as 0.000184%, which is the share on
 * a link of 100 Mbit/s. A tenth of it, 0.0000184%, is the share that its 540,000 clients follow from. */
#include <math.h>
#include <stdio.h>

#include "lab/figures/libri/libri.h"

enum { LAST = ORDO_NET_TESTBED_CLIENTS - 1, ROOM = 40 };

static const double fast_bits = 1e8, gigabit_bits = 1e9, share_of_link = 0.1;

static double bytes_per_client(const struct ordo_net_testbed_traffic *traffic)
{
    const struct ordo_net_testbed_traffic *few = &traffic[LAST - 2], *many = &traffic[LAST];
    return (many->counted - few->counted) / (many->clients - few->clients);
}

static void draw_traffic(struct ordo_figure_panel *panel, const char *name,
                         const struct ordo_net_testbed_traffic *traffic)
{
    char text[ROOM];
    (void)snprintf(text, sizeof text, "%s, published", name);
    struct ordo_figure_curve *published = ordo_figure_curve(panel, text, ORDO_FIGURE_LINE);
    struct ordo_figure_curve *counted = ordo_figure_curve(panel, name, ORDO_FIGURE_POINTS);
    for (int i = 0; i <= LAST; i++) {
        ordo_figure_point(published, traffic[i].clients, traffic[i].arithmetic);
        ordo_figure_point(counted, traffic[i].clients, traffic[i].counted - traffic[i].announce);
    }
}

/* All numbers are within 2%: the paper rounds to two places (54k, 6.7k), and clients ask at random times. */
static void compare_links(struct ordo_figure_run *run, double ntp_bytes, double ptp_bytes)
{
    ordo_figure_value(run, "NTP: share of 100 Mbit/s for each client", "%", 0.000184, ntp_bytes * 8 / fast_bits * 100,
                      ORDO_FIGURE_EQUAL, 1.02);
    ordo_figure_value(run, "PTP: share of 100 Mbit/s for each slave", "%", 0.001488, ptp_bytes * 8 / fast_bits * 100,
                      ORDO_FIGURE_EQUAL, 1.02);
    ordo_figure_value(run, "PTP: share of 1 Gbit/s for each slave", "%", 0.0001488, ptp_bytes * 8 / gigabit_bits * 100,
                      ORDO_FIGURE_EQUAL, 1.02);
    ordo_figure_value(run, "NTP: clients on a tenth of 100 Mbit/s", "", 54000,
                      ordo_net_testbed_clients("ntp", fast_bits, share_of_link), ORDO_FIGURE_EQUAL, 1.02);
    ordo_figure_value(run, "PTP: slaves on a tenth of 100 Mbit/s", "", 6700,
                      ordo_net_testbed_clients("ptp", fast_bits, share_of_link), ORDO_FIGURE_EQUAL, 1.02);
    ordo_figure_value(run, "NTP: clients on a tenth of 1 Gbit/s", "", 540000,
                      ordo_net_testbed_clients("ntp", gigabit_bits, share_of_link), ORDO_FIGURE_EQUAL, 1.02);
    ordo_figure_value(run, "PTP: slaves on a tenth of 1 Gbit/s", "", 67000,
                      ordo_net_testbed_clients("ptp", gigabit_bits, share_of_link), ORDO_FIGURE_EQUAL, 1.02);
    double misprint = 0.000184, share = ntp_bytes * 8 / gigabit_bits * 100;
    ordo_figure_claim(run, fabs(misprint / share - 10) < 0.2 && fabs(share_of_link * 100 / share / 540000 - 1) < 0.02,
                      "the published share of an NTP client of 1 Gbit/s, 0.000184%, is ten times that of 540,000 "
                      "clients: a misprint");
}

int ordo_libri_scale(struct ordo_figure_run *run, struct ordo_error *error)
{
    struct ordo_net_testbed_traffic ntp[ORDO_NET_TESTBED_CLIENTS], ptp[ORDO_NET_TESTBED_CLIENTS];
    int code = ordo_net_testbed_count(ntp, "ntp", ordo_figure_seed(run), error);
    if (!code)
        code = ordo_net_testbed_count(ptp, "ptp", ordo_figure_seed(run), error);
    if (code)
        return code;
    struct ordo_figure_panel *panel = ordo_figure_panel(run, "traffic of the server", "clients", "bytes per second",
                                                        ORDO_FIGURE_LOG_X + ORDO_FIGURE_LOG_Y);
    draw_traffic(panel, "NTP, a poll every 8 s", ntp);
    draw_traffic(panel, "PTP, a Sync every second", ptp);
    double ntp_bytes = bytes_per_client(ntp), ptp_bytes = bytes_per_client(ptp);
    double fixed = ptp[LAST].counted - ptp[LAST].announce - ptp_bytes * ptp[LAST].clients;
    ordo_figure_value(run, "NTP: bytes for each client", "B/s", 23, ntp_bytes, ORDO_FIGURE_EQUAL, 1.02);
    ordo_figure_value(run, "PTP: bytes for each slave", "B/s", 186, ptp_bytes, ORDO_FIGURE_EQUAL, 1.02);
    /* The rest of 18,700 B/s, when the slaves are subtracted, who ask at random times: half a percent of them is 93. */
    ordo_figure_value(run, "PTP: bytes independent of the slaves", "B/s", 180, fixed, ORDO_FIGURE_EQUAL, 1.5);
    compare_links(run, ntp_bytes, ptp_bytes);
    return ORDO_OK;
}
