/* Figures 6 and 7: the places at which a packet is stamped, and the clocks of the test bed. */
#include "lab/figures/libri/libri.h"

static const double seconds = 4000;

/* Draws the deviation of each run as a bar. */
static void draw_bars(struct ordo_figure_run *run, const char *title, const struct ordo_net_score *scores,
                      const char *const *names, int count)
{
    struct ordo_figure_panel *panel =
        ordo_figure_panel(run, title, "place", "standard deviation, us", ORDO_FIGURE_LOG_Y);
    for (int i = 0; i < count; i++) {
        struct ordo_figure_curve *curve = ordo_figure_curve(panel, names[i], ORDO_FIGURE_BARS);
        ordo_figure_point(curve, i + 1, scores[i].stddev_ns / 1000);
    }
}

int ordo_libri_jitter(struct ordo_figure_run *run, struct ordo_error *error)
{
    static const char *const names[] = {"interface (hardware)", "device driver", "application"};
    struct ordo_net_ptp ptp = ordo_net_testbed_ptp(0);
    struct ordo_net_score scores[3];
    int code = ordo_libri_ptp(run, &ptp, seconds, &scores[0], error);
    ptp.stamps.software = true;
    if (!code)
        code = ordo_libri_ptp(run, &ptp, seconds, &scores[1], error);
    ptp.stamps = ordo_net_testbed_ntp().stamps;
    if (!code)
        code = ordo_libri_ptp(run, &ptp, seconds, &scores[2], error);
    if (code)
        return code;
    draw_bars(run, "PTP by the place of its stamps", scores, names, 3);
    ordo_figure_claim(run, 3 * scores[0].stddev_ns < scores[1].stddev_ns,
                      "a stamp of the interface has less than a third of the jitter of a stamp of the driver");
    ordo_figure_claim(run, 3 * scores[1].stddev_ns < scores[2].stddev_ns,
                      "a stamp of the driver has less than a third of the jitter of a stamp of the application");
    return ORDO_OK;
}

int ordo_libri_testbed(struct ordo_figure_run *run, struct ordo_error *error)
{
    static const char *const names[] = {"PTP: clocks of the interfaces", "PTP: system clocks", "NTP: system clocks"};
    const struct ordo_net_ptp interfaces = ordo_net_testbed_ptp(0), systems = ordo_net_testbed_ptp(12);
    const struct ordo_net_ntp ntp = ordo_net_testbed_ntp();
    struct ordo_net_score scores[3];
    int code = ordo_libri_ptp(run, &interfaces, seconds, &scores[0], error);
    if (!code)
        code = ordo_libri_ptp(run, &systems, seconds, &scores[1], error);
    if (!code)
        code = ordo_libri_ntp(run, &ntp, seconds, &scores[2], error);
    if (code)
        return code;
    draw_bars(run, "two boards on one link", scores, names, 3);
    ordo_figure_claim(run, 3 * scores[0].stddev_ns < scores[1].stddev_ns,
                      "PTP: the clocks of the interfaces agree better than the system clocks, which phc2sys steers");
    ordo_figure_claim(run, 3 * scores[1].stddev_ns < scores[2].stddev_ns,
                      "the system clocks agree better with PTP than with NTP, which steers them directly");
    return ORDO_OK;
}
