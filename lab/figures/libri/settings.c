/* Table II: the best settings. minpoll 3 is the shortest period of ntpd, 2^3 s; its defaults are 2^6 s and 2^10 s. And phc2sys -R12 is the rate from which
 * on more updates bring little. */
#include "lab/figures/libri/libri.h"

enum { POLLS = 3, RATES = 5 };

static const double seconds = 40000, polling_seconds = 400000;

static int run_polls(struct ordo_figure_run *run, double deviation_us[POLLS], struct ordo_error *error)
{
    static const int polls_s[POLLS] = {8, 64, 1024};
    struct ordo_figure_panel *panel = ordo_figure_panel(run, "NTP by the polling period", "polling period, s",
                                                        "standard deviation, us", ORDO_FIGURE_LOG_X);
    struct ordo_figure_curve *curve = ordo_figure_curve(panel, "NTP", ORDO_FIGURE_LINE);
    int code = ORDO_OK;
    for (int i = 0; i < POLLS && !code; i++) {
        struct ordo_net_ntp ntp = ordo_net_testbed_ntp();
        struct ordo_net_score score;
        ntp.poll_ms = polls_s[i] * 1000;
        code = ordo_libri_ntp(run, &ntp, polling_seconds, &score, error);
        deviation_us[i] = code ? 0 : score.stddev_ns / 1000;
        ordo_figure_point(curve, polls_s[i], deviation_us[i]);
    }
    return code;
}

static int run_rates(struct ordo_figure_run *run, double deviation_ns[RATES], struct ordo_error *error)
{
    struct ordo_figure_panel *panel = ordo_figure_panel(run, "PTP by the rate of phc2sys", "updates per second",
                                                        "standard deviation, ns", ORDO_FIGURE_LINEAR);
    struct ordo_figure_curve *curve = ordo_figure_curve(panel, "PTP", ORDO_FIGURE_LINE);
    int code = ORDO_OK;
    for (int i = 0; i < RATES && !code; i++) {
        const int hz = i ? 6 * i : 1;
        const struct ordo_net_ptp ptp = ordo_net_testbed_ptp(hz);
        struct ordo_net_score score;
        code = ordo_libri_ptp(run, &ptp, seconds, &score, error);
        deviation_ns[i] = code ? 0 : score.stddev_ns;
        ordo_figure_point(curve, hz, deviation_ns[i]);
    }
    return code;
}

int ordo_libri_settings(struct ordo_figure_run *run, struct ordo_error *error)
{
    double polls_us[POLLS], rates_ns[RATES];
    int code = run_polls(run, polls_us, error);
    if (!code)
        code = run_rates(run, rates_ns, error);
    if (code)
        return code;
    bool shortest = true;
    for (int i = 1; i < POLLS; i++)
        shortest &= polls_us[0] < polls_us[i];
    /* A fact: minpoll is a power of 2. */
    ordo_figure_value(run, "ntpd: minpoll 3", "s", 8, 1 << 3, ORDO_FIGURE_EQUAL, 1);
    ordo_figure_claim(run, shortest,
                      "ntpd: a period of 8 s has a smaller deviation than the default periods of 64 s and 1024 s");
    ordo_figure_claim(run, rates_ns[0] > 2 * rates_ns[1] && rates_ns[1] > 1.25 * rates_ns[2],
                      "phc2sys: up to 12 Hz the deviation falls by more than a quarter from step to step");
    ordo_figure_claim(run, rates_ns[2] < 1.25 * rates_ns[3] && rates_ns[2] < 1.5 * rates_ns[4],
                      "phc2sys: beyond 12 Hz the deviation falls by less than a third");
    return ORDO_OK;
}
