/* Figure 10: two boards that synchronise every 36.4 hours (2^17 s), and run free in between.
 *
 * NTP polls with this period. PTP cannot be simulated so: a slave listens for three intervals of Announces before it
 * chooses a master, which is a week. Its master falls silent after 20 s instead, and without a servo the slave runs
 * free from there. */
#include <math.h>

#include "base/regression.h"
#include "lab/figures/libri/libri.h"

enum { PERIOD_S = 131072, SILENT_MS = 20000, BARS = 20 };

/* Fits a line to the means of all parts, and returns the share of their variance that it explains. */
static double fit_course(const struct ordo_net_score *score, struct ordo_line *line)
{
    double at_s[ORDO_NET_PARTS], mean_ns[ORDO_NET_PARTS], left = 0, all = 0;
    size_t count = 0;
    for (int i = 0; i < ORDO_NET_PARTS; i++)
        if (score->course[i].claims > 0) {
            at_s[count] = score->course[i].at_s;
            mean_ns[count++] = score->course[i].mean_ns;
        }
    if (count < 3)
        return 0;
    *line = ordo_stats_line(at_s, mean_ns, count);
    for (size_t i = 0; i < count; i++) {
        left += pow(mean_ns[i] - line->at_zero - line->slope * at_s[i], 2);
        all += pow(mean_ns[i] - line->mean_y, 2);
    }
    return 1 - left / all;
}

static void draw_course(struct ordo_figure_run *run, const char *title, const struct ordo_net_score *score)
{
    struct ordo_figure_panel *panel = ordo_figure_panel(run, title, "hours after the synchronisation",
                                                        "offset of the client, ms", ORDO_FIGURE_LINEAR);
    struct ordo_figure_curve *curve = ordo_figure_curve(panel, "mean and deviation", ORDO_FIGURE_POINTS);
    for (int i = 0; i < ORDO_NET_PARTS; i += ORDO_NET_PARTS / BARS) {
        const struct ordo_net_part *part = &score->course[i];
        if (part->claims > 0)
            ordo_figure_range(curve, part->at_s / 3600, -part->mean_ns * 1e-6,
                              (-part->mean_ns - part->stddev_ns) * 1e-6, (-part->mean_ns + part->stddev_ns) * 1e-6);
    }
}

static int run_free(struct ordo_figure_run *run, struct ordo_net_score *by_ntp, struct ordo_net_score *by_ptp,
                    struct ordo_error *error)
{
    struct ordo_net_ntp ntp = ordo_net_testbed_ntp();
    struct ordo_net_ptp ptp = ordo_net_testbed_ptp(0);
    ntp.poll_ms = PERIOD_S * 1000;
    ptp.free_running = true;
    ptp.fails_ms = SILENT_MS;
    int code = ordo_libri_ntp(run, &ntp, PERIOD_S, by_ntp, error);
    return code ? code : ordo_libri_ptp(run, &ptp, PERIOD_S, by_ptp, error);
}

int ordo_libri_drift(struct ordo_figure_run *run, struct ordo_error *error)
{
    struct ordo_net_score by_ntp, by_ptp;
    struct ordo_line ntp = {0}, ptp = {0};
    int code = run_free(run, &by_ntp, &by_ptp, error);
    if (code)
        return code;
    double ntp_explained = fit_course(&by_ntp, &ntp), ptp_explained = fit_course(&by_ptp, &ptp);
    draw_course(run, "NTP", &by_ntp);
    draw_course(run, "PTP", &by_ptp);
    ordo_figure_value(run, "longest polling period", "h", 36.4, PERIOD_S / 3600.0, ORDO_FIGURE_EQUAL, 1.01);
    ordo_figure_claim(run, ntp_explained > 0.999, "NTP: the drift is linear (a line explains 99.9% of its variance)");
    ordo_figure_claim(run, ptp_explained > 0.999, "PTP: the drift is linear (a line explains 99.9% of its variance)");
    ordo_figure_claim(run, fabs(ntp.slope / ptp.slope - 1) < 0.01,
                      "both show the drift of the same two oscillators, to within 1%");
    ordo_figure_claim(run, fabs(ntp.slope) * PERIOD_S > 1000 * 35000,
                      "after 36.4 hours the offset is more than 1000 times that of polls every 8 s");
    return ORDO_OK;
}
