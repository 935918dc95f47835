/* Runs of the test bed, and their offsets as curves. */
#include <math.h>

#include "lab/figures/libri/libri.h"

enum { BINS = 40 };

int ordo_libri_ntp(const struct ordo_figure_run *run, const struct ordo_net_ntp *ntp, double seconds,
                   struct ordo_net_score *score, struct ordo_error *error)
{
    const struct ordo_net_options options = ordo_net_testbed_network(2, seconds, ordo_figure_seed(run));
    return ordo_net_ntp_run(&options, ntp, score, NULL, error);
}

int ordo_libri_ptp(const struct ordo_figure_run *run, const struct ordo_net_ptp *ptp, double seconds,
                   struct ordo_net_score *score, struct ordo_error *error)
{
    const struct ordo_net_options options = ordo_net_testbed_network(2, seconds, ordo_figure_seed(run));
    return ordo_net_ptp_run(&options, ptp, score, NULL, error);
}

/* Returns the share of the offsets in a bin, by its quantiles. */
static double share_between(const struct ordo_net_score *score, double from_ns, double to_ns)
{
    int inside = 0;
    for (int i = 1; i < ORDO_NET_CURVE; i++)
        inside += score->signed_ns[i] >= from_ns && score->signed_ns[i] < to_ns;
    return inside / (ORDO_NET_CURVE - 1.0);
}

void ordo_libri_draw_histogram(struct ordo_figure_panel *panel, const char *name, const struct ordo_net_score *score,
                               double unit_ns)
{
    struct ordo_figure_curve *bars = ordo_figure_curve(panel, name, ORDO_FIGURE_BARS);
    struct ordo_figure_curve *normal = ordo_figure_curve(panel, "normal distribution", ORDO_FIGURE_LINE);
    double begin_ns = score->mean_signed_ns - 4 * score->stddev_ns, bin_ns = 8 * score->stddev_ns / BINS;
    for (int i = 0; i < BINS; i++) {
        double from_ns = begin_ns + i * bin_ns, middle_ns = from_ns + bin_ns / 2;
        double z = (middle_ns - score->mean_signed_ns) / score->stddev_ns;
        ordo_figure_point(bars, middle_ns / unit_ns, 100 * share_between(score, from_ns, from_ns + bin_ns));
        ordo_figure_point(normal, middle_ns / unit_ns,
                          100 * bin_ns / score->stddev_ns / sqrt(2 * M_PI) * exp(-z * z / 2));
    }
}

void ordo_libri_draw_distribution(struct ordo_figure_panel *panel, const char *name, const struct ordo_net_score *score,
                                  double unit_ns)
{
    struct ordo_figure_curve *curve = ordo_figure_curve(panel, name, ORDO_FIGURE_LINE);
    for (int i = 0; i < ORDO_NET_CURVE; i += 5)
        ordo_figure_point(curve, score->curve_ns[i] / unit_ns, i / 10.0);
}
