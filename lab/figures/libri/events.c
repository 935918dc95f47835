/* Figure 3: events that happen at the same time on two devices, as their clocks show them. An event is paired with the
 * wrong event if the clocks differ by more than half of the time between two events. */
#include <math.h>

#include "lab/figures/libri/libri.h"

enum { EVENTS = 24, APART_NS = 50000 };

static const double seconds = 400;

/* Draws the events as two devices stamp them. Returns the number of events that are paired correctly. */
static int draw_events(struct ordo_figure_run *run, const char *title, const double *offset_ns)
{
    struct ordo_figure_panel *panel =
        ordo_figure_panel(run, title, "time of the stamp, us", "device", ORDO_FIGURE_LINEAR);
    struct ordo_figure_curve *first = ordo_figure_curve(panel, "device 1", ORDO_FIGURE_POINTS);
    struct ordo_figure_curve *second = ordo_figure_curve(panel, "device 2", ORDO_FIGURE_POINTS);
    int right = 0;
    for (int i = 0; i < EVENTS; i++) {
        double at_ns = (double)i * APART_NS;
        ordo_figure_point(first, at_ns / 1000, 1);
        ordo_figure_point(second, (at_ns + offset_ns[i]) / 1000, 2);
        right += fabs(offset_ns[i]) < APART_NS / 2.0;
    }
    return right;
}

/* Sets the offsets of two clocks that nothing synchronises, in the middle of the run. */
static int free_offsets(const struct ordo_figure_run *run, double *offset_ns, struct ordo_error *error)
{
    const struct ordo_net_options options = ordo_net_testbed_network(2, seconds, ordo_figure_seed(run));
    struct ordo_net *net = ordo_net_new(&options, error);
    if (!net)
        return error->code;
    for (int i = 0; i < EVENTS; i++) {
        int64_t at_ps = (int64_t)(seconds / 2 * 1e12) + i * APART_NS * INT64_C(1000);
        offset_ns[i] = (double)(ordo_net_clock_true(net, 1, at_ps) - ordo_net_clock_true(net, 0, at_ps)) * 1e-3;
    }
    ordo_net_free(net);
    return ORDO_OK;
}

int ordo_libri_events(struct ordo_figure_run *run, struct ordo_error *error)
{
    const struct ordo_net_ptp ptp = ordo_net_testbed_ptp(12);
    struct ordo_net_score score;
    double offset_ns[EVENTS];
    int code = ordo_libri_ptp(run, &ptp, seconds, &score, error);
    if (code)
        return code;
    for (int i = 0; i < EVENTS; i++)
        offset_ns[i] = score.course[ORDO_NET_PARTS / 2 + i].mean_ns;
    int with = draw_events(run, "clocks synchronised by PTP", offset_ns);
    code = free_offsets(run, offset_ns, error);
    if (code)
        return code;
    int without = draw_events(run, "clocks not synchronised", offset_ns);
    ordo_figure_claim(run, with == EVENTS, "with synchronised clocks each event is paired with itself");
    ordo_figure_claim(run, without == 0, "without them each event is paired with another event, or with none");
    return ORDO_OK;
}
