/* Figure 1: accuracy is the distance of the mean from the time reference, and precision is the deviation. NTP on the
 * test bed has errors that change one of the two: a constant time to wake up, and a random jitter. */
#include <math.h>

#include "lab/figures/libri/libri.h"

static const double seconds = 40000;

static int run_stamps(struct ordo_figure_run *run, int waking_ns, int jitter_ns, struct ordo_net_score *score,
                      struct ordo_error *error)
{
    struct ordo_net_ntp ntp = ordo_net_testbed_ntp();
    ntp.stamps.waking_ns = waking_ns;
    ntp.stamps.jitter_ns = jitter_ns;
    return ordo_libri_ntp(run, &ntp, seconds, score, error);
}

int ordo_libri_accuracy(struct ordo_figure_run *run, struct ordo_error *error)
{
    const struct ordo_net_stamps fitted = ordo_net_testbed_ntp().stamps;
    struct ordo_net_score both, random, twice;
    int code = run_stamps(run, fitted.waking_ns, fitted.jitter_ns, &both, error);
    if (!code)
        code = run_stamps(run, 0, fitted.jitter_ns, &random, error);
    if (!code)
        code = run_stamps(run, fitted.waking_ns, fitted.jitter_ns * 2, &twice, error);
    if (code)
        return code;
    struct ordo_figure_panel *panel =
        ordo_figure_panel(run, "offset of a client", "offset, us", "share, %", ORDO_FIGURE_LINEAR);
    ordo_libri_draw_histogram(panel, "constant and random error", &both, 1000);
    ordo_libri_draw_histogram(panel, "random error alone", &random, 1000);
    ordo_figure_claim(run, fabs(both.mean_signed_ns - random.mean_signed_ns - fitted.waking_ns / 2.0) < 1000,
                      "a constant error in one direction moves the mean (the accuracy) by half of itself");
    ordo_figure_claim(run, fabs(both.stddev_ns / random.stddev_ns - 1) < 0.1,
                      "the constant error does not change the deviation (the precision)");
    ordo_figure_claim(run, fabs(twice.stddev_ns / both.stddev_ns / 2 - 1) < 0.25,
                      "twice the random error gives about twice the deviation (1.5 to 2.5 times)");
    ordo_figure_claim(run, fabs(twice.mean_signed_ns - both.mean_signed_ns) < both.stddev_ns / 2,
                      "the random error changes the mean by less than half of a deviation");
    return ORDO_OK;
}
