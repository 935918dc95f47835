/* Figure 9: the offsets of NTP and PTP. The model of the test bed has one parameter for each number to which
 * it is fitted (testbed.h): mean and deviation of NTP, and the deviation of PTP at 12 Hz. All other numbers are
 * predictions. A prediction is within 25%, which is two standard deviations of a deviation that was measured for 80 s
 * (rates.c). */
#include <math.h>
#include <stdio.h>

#include "lab/figures/libri/libri.h"

static const double seconds = 40000, factor = 1.25;

static void compare_quantiles(struct ordo_figure_run *run, const char *protocol, const struct ordo_net_score *score,
                              const double published_us[4])
{
    static const char *const names[] = {"standard deviation", "75% of the offsets are below",
                                        "95% of the offsets are below", "99% of the offsets are below"};
    const double ours_ns[] = {score->stddev_ns, score->p75_ns, score->p95_ns, score->p99_ns};
    for (int i = 0; i < 4; i++) {
        char what[100];
        (void)snprintf(what, sizeof what, "%s: %s", protocol, names[i]);
        ordo_figure_value(run, what, "us", published_us[i], ours_ns[i] * 1e-3, ORDO_FIGURE_EQUAL, factor);
    }
}

static void draw_protocol(struct ordo_figure_run *run, const char *protocol, const struct ordo_net_score *score,
                          double unit_ns, const char *x)
{
    char title[60];
    (void)snprintf(title, sizeof title, "%s: histogram of the offset", protocol);
    ordo_libri_draw_histogram(ordo_figure_panel(run, title, x, "share, %", ORDO_FIGURE_LINEAR), protocol, score,
                              unit_ns);
    (void)snprintf(title, sizeof title, "%s: distribution of the offset", protocol);
    ordo_libri_draw_distribution(ordo_figure_panel(run, title, x, "share, %", ORDO_FIGURE_LINEAR), protocol, score,
                                 unit_ns);
}

int ordo_libri_offsets(struct ordo_figure_run *run, struct ordo_error *error)
{
    const struct ordo_net_ntp ntp = ordo_net_testbed_ntp();
    const struct ordo_net_ptp ptp = ordo_net_testbed_ptp(12);
    struct ordo_net_score by_ntp, by_ptp;
    int code = ordo_libri_ntp(run, &ntp, seconds, &by_ntp, error);
    if (!code)
        code = ordo_libri_ptp(run, &ptp, seconds, &by_ptp, error);
    if (code)
        return code;
    ordo_figure_value(run, "NTP: mean", "us", 17.5, by_ntp.mean_signed_ns * 1e-3, ORDO_FIGURE_EQUAL, factor);
    compare_quantiles(run, "NTP", &by_ntp, (const double[]){8.4, 23, 30, 35});
    compare_quantiles(run, "PTP", &by_ptp, (const double[]){0.5137, 0.5, 0.97, 1.32});
    ordo_figure_claim(run, fabs(by_ptp.mean_signed_ns) < by_ptp.stddev_ns / 10,
                      "PTP: the mean (published: 16.1 ns) is less than a tenth of the deviation");
    ordo_figure_claim(run, by_ntp.p99_ns > 20 * by_ptp.p99_ns, "PTP is more than 20 times as accurate as NTP");
    draw_protocol(run, "NTP", &by_ntp, 1000, "offset, us");
    draw_protocol(run, "PTP", &by_ptp, 1, "offset, ns");
    return ORDO_OK;
}
