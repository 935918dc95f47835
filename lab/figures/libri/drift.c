/* Figure 10: two boards that synchronise every 36.4 hours (2^17 s), and run free in between.
 *
 * NTP polls with this period; the simulated client polls for the first time after half of it. PTP cannot be simulated so: a slave listens for three intervals of Announces before it
 * chooses a master, which is a week. Its master falls silent after 20 s instead, and without a servo the slave runs
 * free from there. */
#include <math.h>
#include <stdio.h>

#include "base/regression.h"
#include "lab/figures/libri/libri.h"

enum { PERIOD_S = 131072, SILENT_MS = 20000, BARS = 20, TESTS = 5, BINS = 8 };

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

/* An offset that drifts from the time of the synchronisation on. */
struct drift {
    struct ordo_net_score score;
    double since_s;
};

static void draw_course(struct ordo_figure_run *run, const char *title, const struct drift *drift)
{
    struct ordo_figure_panel *panel = ordo_figure_panel(run, title, "hours after the synchronisation",
                                                        "offset of the client, ms", ORDO_FIGURE_LINEAR);
    struct ordo_figure_curve *curve = ordo_figure_curve(panel, "mean and deviation", ORDO_FIGURE_POINTS);
    for (int i = 0; i < ORDO_NET_PARTS; i += ORDO_NET_PARTS / BARS) {
        const struct ordo_net_part *part = &drift->score.course[i];
        if (part->claims > 0)
            ordo_figure_range(curve, (part->at_s - drift->since_s) / 3600, -part->mean_ns * 1e-6,
                              (-part->mean_ns - part->stddev_ns) * 1e-6, (-part->mean_ns + part->stddev_ns) * 1e-6);
    }
}

/* Returns the part in which a test is made: the tests are evenly spread over the time after the synchronisation. */
static const struct ordo_net_part *test_of(const struct ordo_net_score *score, int test)
{
    int first = 0;
    while (first < ORDO_NET_PARTS - 2 && score->course[first].claims == 0)
        first++;
    first++; /* the part of the synchronisation may be incomplete */
    return &score->course[first + test * (ORDO_NET_PARTS - 2 - first) / (TESTS - 1)];
}

/* Draws the histogram of the offsets in each test. */
static void draw_tests(struct ordo_figure_run *run, const char *title, const struct drift *drift)
{
    struct ordo_figure_panel *panel =
        ordo_figure_panel(run, title, "offset of the client, ms", "share, %", ORDO_FIGURE_LINEAR);
    for (int test = 0; test < TESTS; test++) {
        const struct ordo_net_part *part = test_of(&drift->score, test);
        const double *curve_ns = part->curve_ns, bin_ns = (curve_ns[ORDO_NET_PART_CURVE - 1] - curve_ns[0]) / BINS;
        char name[40];
        (void)snprintf(name, sizeof name, "after %.1f h", (part->at_s - drift->since_s) / 3600);
        struct ordo_figure_curve *curve = ordo_figure_curve(panel, name, ORDO_FIGURE_STEPS);
        for (int bin = 0; bin < BINS && part->claims > 0; bin++) {
            double from_ns = curve_ns[0] + bin * bin_ns;
            int inside = 0;
            for (int k = 1; k < ORDO_NET_PART_CURVE; k++)
                inside += curve_ns[k] > from_ns && curve_ns[k] <= from_ns + bin_ns;
            ordo_figure_point(curve, -(from_ns + bin_ns / 2) * 1e-6, 100.0 * inside / (ORDO_NET_PART_CURVE - 1));
        }
    }
}

/* True if all offsets of each test are beyond all offsets of the test before it, in the same direction. */
static bool tests_move(const struct ordo_net_score *score)
{
    int up = 0, down = 0;
    for (int test = 1; test < TESTS; test++) {
        const double *last = test_of(score, test - 1)->curve_ns, *next = test_of(score, test)->curve_ns;
        up += next[0] > last[ORDO_NET_PART_CURVE - 1];
        down += next[ORDO_NET_PART_CURVE - 1] < last[0];
    }
    return up == TESTS - 1 || down == TESTS - 1;
}

/* Returns the time between the first and the last test, in hours. */
static double tested_hours(const struct ordo_net_score *score)
{
    return (test_of(score, TESTS - 1)->at_s - test_of(score, 0)->at_s) / 3600;
}

static int run_free(struct ordo_figure_run *run, struct drift *by_ntp, struct drift *by_ptp, struct ordo_error *error)
{
    struct ordo_net_ntp ntp = ordo_net_testbed_ntp();
    struct ordo_net_ptp ptp = ordo_net_testbed_ptp(0);
    ntp.poll_ms = PERIOD_S * 1000;
    ptp.free_running = true;
    ptp.fails_ms = SILENT_MS;
    by_ntp->since_s = PERIOD_S / 2;
    by_ptp->since_s = SILENT_MS / 1000;
    int code = ordo_libri_ntp(run, &ntp, by_ntp->since_s + PERIOD_S, &by_ntp->score, error);
    return code ? code : ordo_libri_ptp(run, &ptp, by_ptp->since_s + PERIOD_S, &by_ptp->score, error);
}

int ordo_libri_drift(struct ordo_figure_run *run, struct ordo_error *error)
{
    static struct drift by_ntp, by_ptp;
    struct ordo_line ntp = {0}, ptp = {0};
    int code = run_free(run, &by_ntp, &by_ptp, error);
    if (code)
        return code;
    double ntp_explained = fit_course(&by_ntp.score, &ntp), ptp_explained = fit_course(&by_ptp.score, &ptp);
    draw_tests(run, "NTP: histograms of five tests", &by_ntp);
    draw_course(run, "NTP", &by_ntp);
    draw_tests(run, "PTP: histograms of five tests", &by_ptp);
    draw_course(run, "PTP", &by_ptp);
    ordo_figure_claim(run, tests_move(&by_ntp.score) && tests_move(&by_ptp.score),
                      "the histograms move in one direction: each test is beyond all offsets of the test before it");
    /* 2^17 s, which the paper rounds. */
    ordo_figure_value(run, "longest polling period", "h", 36.4, PERIOD_S / 3600.0, ORDO_FIGURE_EQUAL, 1.01);
    /* The first and the last test are up to two parts of a run, 0.6 hours, inside of the time between synchronisations. */
    ordo_figure_value(run, "NTP: time of free drift under test", "h", 36.4, tested_hours(&by_ntp.score),
                      ORDO_FIGURE_EQUAL, 1.05);
    ordo_figure_value(run, "PTP: time of free drift under test", "h", 36.4, tested_hours(&by_ptp.score),
                      ORDO_FIGURE_EQUAL, 1.05);
    ordo_figure_claim(run, ntp_explained > 0.999, "NTP: the drift is linear (a line explains 99.9% of its variance)");
    ordo_figure_claim(run, ptp_explained > 0.999, "PTP: the drift is linear (a line explains 99.9% of its variance)");
    ordo_figure_claim(run, fabs(ntp.slope / ptp.slope - 1) < 0.01,
                      "both show the drift of the same two oscillators, to within 1%");
    ordo_figure_claim(run, fabs(ntp.slope) * PERIOD_S > 1000 * 35000,
                      "after 36.4 hours the offset is more than 1000 times that of polls every 8 s");
    return ORDO_OK;
}
