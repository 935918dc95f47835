/* Table I: the deviation of the offset of PTP by the rate of phc2sys. The model is fitted to the deviation at 12 Hz. A
 * published deviation is reproduced within 25%: two standard deviations, of 12% each, of the deviation in a measurement
 * of 80 s.
 *
 * The length of the measurements follows from the published means. The servo of phc2sys sums up the offset, so the mean
 * of a long measurement is 0. The published means differ from 0 by a tenth of a deviation, with changing signs. In the
 * simulation the mean of a measurement of 80 s does so too: its offsets depend on each other, and few are independent.
 * For the same reason the ratio of two such deviations varies, and the deviation at 24 Hz may exceed that at 18 Hz. */
#include <math.h>
#include <stdio.h>

#include "lab/figures/libri/libri.h"

enum { WINDOW_S = 80, WINDOWS = ORDO_NET_PARTS, SETTLING = 10, RATES = ORDO_NET_TESTBED_ROWS - 1 };

static const double seconds = 40000, factor = 1.25;

/* The deviations in measurements of 80 s each, and how far their means are from 0, in deviations. */
struct windows {
    double deviation_ns[WINDOWS], distance;
};

static int measure_windows(const struct ordo_figure_run *run, int system_hz, struct windows *windows,
                           struct ordo_error *error)
{
    struct ordo_net_ptp ptp = ordo_net_testbed_ptp(system_hz);
    struct ordo_net_score score;
    ptp.judgements = WINDOWS * WINDOW_S;
    int code = ordo_libri_ptp(run, &ptp, WINDOWS * WINDOW_S, &score, error);
    if (code)
        return code;
    double squares = 0;
    for (int i = SETTLING; i < WINDOWS; i++) {
        windows->deviation_ns[i] = score.course[i].stddev_ns;
        squares += pow(score.course[i].mean_ns, 2);
    }
    windows->distance = sqrt(squares / (WINDOWS - SETTLING)) / score.stddev_ns;
    return ORDO_OK;
}

/* Returns the share of the measurements in which the deviation of `a` is above that of `b`. */
static double share_above(const struct windows *a, const struct windows *b)
{
    int above = 0;
    for (int i = SETTLING; i < WINDOWS; i++)
        above += a->deviation_ns[i] > b->deviation_ns[i];
    return (double)above / (WINDOWS - SETTLING);
}

/* Returns how far the ratio of two published deviations is from the usual ratio, in standard deviations of the ratio of
 * two measurements. */
static double distance_of(const struct windows *a, const struct windows *b, double published)
{
    double sum = 0, squares = 0;
    for (int i = SETTLING; i < WINDOWS; i++) {
        double ratio = log(a->deviation_ns[i] / b->deviation_ns[i]);
        sum += ratio;
        squares += ratio * ratio;
    }
    double mean = sum / (WINDOWS - SETTLING);
    return fabs(log(published) - mean) / sqrt(squares / (WINDOWS - SETTLING) - mean * mean);
}

/* Compares the published table with measurements of 80 s. */
static int compare_windows(struct ordo_figure_run *run, const struct ordo_net_testbed_row *rows,
                           struct ordo_error *error)
{
    static struct windows windows[RATES];
    const int reference = 2; /* the rate of 12 Hz, to which the model is fitted */
    double theirs = 0, ours = 0, farthest = 0;
    for (int i = 0; i < RATES; i++) {
        int code = measure_windows(run, rows[i].system_hz, &windows[i], error);
        if (code)
            return code;
        const double *published_ns = rows[i].published_ns;
        theirs += pow(published_ns[ORDO_NET_TESTBED_MEAN] / published_ns[ORDO_NET_TESTBED_STDDEV], 2) / RATES;
        ours += pow(windows[i].distance, 2) / RATES;
    }
    for (int i = 0; i < RATES; i++)
        if (i != reference)
            farthest = fmax(farthest, distance_of(&windows[i], &windows[reference],
                                                  rows[i].published_ns[ORDO_NET_TESTBED_STDDEV] /
                                                      rows[reference].published_ns[ORDO_NET_TESTBED_STDDEV]));
    ordo_figure_value(run, "distance of the means from 0, measurements of 80 s", "deviations", sqrt(theirs), sqrt(ours),
                      ORDO_FIGURE_EQUAL, factor);
    ordo_figure_claim(run, share_above(&windows[RATES - 1], &windows[RATES - 2]) > 0.1,
                      "in more than a tenth of the measurements of 80 s the deviation at 24 Hz is above that at 18 Hz");
    ordo_figure_claim(run, farthest < 2,
                      "all published ratios to 12 Hz are within two standard deviations of those of 80 s");
    return ORDO_OK;
}

static void compare_rates(struct ordo_figure_run *run, const struct ordo_net_testbed_row *rows)
{
    struct ordo_figure_panel *panel = ordo_figure_panel(run, "deviation by the rate of phc2sys", "updates per second",
                                                        "standard deviation, ns", ORDO_FIGURE_LINEAR);
    struct ordo_figure_curve *theirs = ordo_figure_curve(panel, "published", ORDO_FIGURE_POINTS);
    struct ordo_figure_curve *ours = ordo_figure_curve(panel, "ours", ORDO_FIGURE_LINE);
    bool centred = true;
    for (int i = 0; i < RATES; i++) {
        const double published_ns = rows[i].published_ns[ORDO_NET_TESTBED_STDDEV];
        const double ours_ns = rows[i].simulated_ns[ORDO_NET_TESTBED_STDDEV];
        char what[60];
        (void)snprintf(what, sizeof what, "standard deviation at %d Hz", rows[i].system_hz);
        ordo_figure_value(run, what, "ns", published_ns, ours_ns, ORDO_FIGURE_EQUAL, factor);
        ordo_figure_point(theirs, rows[i].system_hz, published_ns);
        ordo_figure_point(ours, rows[i].system_hz, ours_ns);
        centred &= fabs(rows[i].simulated_ns[ORDO_NET_TESTBED_MEAN]) < ours_ns / 4;
    }
    ordo_figure_claim(run, centred, "every mean is within a quarter of a deviation of 0, as the published means are");
}

int ordo_libri_rates(struct ordo_figure_run *run, struct ordo_error *error)
{
    struct ordo_net_testbed_row rows[ORDO_NET_TESTBED_ROWS];
    int code = ordo_net_testbed_run(rows, seconds, ordo_figure_seed(run), error);
    if (code)
        return code;
    compare_rates(run, &rows[1]); /* the first row is that of NTP */
    ordo_figure_explain(
        run, "standard deviation at 24 Hz",
        "the published means show that a row was measured for about 80 s; in such measurements the ratio to the "
        "deviation at 12 Hz varies by 14%, and the published ratio is less than two of these away");
    return compare_windows(run, &rows[1], error);
}
