/* The support vector machine between the probes of the two directions, and the network effect. */
#include <math.h>
#include <stdio.h>

#include "lab/figures/huygens/huygens.h"
#include "lab/figures/huygens/probing.h"
#include "lab/figures/simulate.h"
#include "net/offset/estimator.h"

enum { HOSTS = 8, DRAWN = 600 };

struct fits {
    struct ordo_figure_curve *forward, *reverse, *line;
    const struct ordo_net_offset_estimator *estimator;
    double worst_ns;   /* the largest error of a line within the window */
    double worst_side; /* the largest share of points on the wrong side of a line */
    int lines;
    bool full;
};

/* Draws the points of the first edge, less the line. */
static void draw_points(struct ordo_figure_curve *curve, const struct ordo_net_point *point, size_t count,
                        const struct ordo_net_line *line)
{
    for (size_t i = 0; i < count; i += 1 + count / DRAWN)
        ordo_figure_point(curve, (double)point[i].at_ps * 1e-12,
                          ((double)point[i].delta_ps - ordo_net_line_at(line, point[i].at_ps)) * 1e-3);
}

static size_t count_wrong(const struct ordo_net_point *point, size_t count, const struct ordo_net_line *line, int sign)
{
    size_t wrong = 0;
    for (size_t i = 0; i < count; i++)
        wrong += sign * ((double)point[i].delta_ps - ordo_net_line_at(line, point[i].at_ps)) < 0;
    return wrong;
}

static double error_ns(const struct ordo_net *net, const struct ordo_net_edge *hosts, const struct ordo_net_line *line,
                       int64_t true_ps)
{
    int64_t a_ps = ordo_net_clock_true(net, hosts->a, true_ps), b_ps = ordo_net_clock_true(net, hosts->b, true_ps);
    return fabs(ordo_net_line_at(line, a_ps) - (double)(b_ps - a_ps)) * 1e-3;
}

static void fit_edge(void *context, const struct ordo_net *net, int edge, const struct ordo_net_edge *hosts,
                     const struct ordo_net_samples *samples)
{
    struct fits *fits = context;
    struct ordo_net_hulls hulls;
    struct ordo_net_line line = {.at_ps = samples->forwards ? samples->forward[0].at_ps : 0};
    if (!samples->forwards || !samples->reverses)
        return;
    bool made = ordo_net_hulls_make(&hulls, samples);
    fits->full = fits->full || !made || !fits->estimator->estimate(samples, &hulls, &line);
    if (made)
        ordo_net_hulls_free(&hulls);
    if (fits->full)
        return;
    size_t wrong = count_wrong(samples->forward, samples->forwards, &line, 1) +
                   count_wrong(samples->reverse, samples->reverses, &line, -1);
    fits->lines++;
    fits->worst_side = fmax(fits->worst_side, (double)wrong / (double)(samples->forwards + samples->reverses));
    for (int i = 0; i <= 20; i++)
        fits->worst_ns = fmax(fits->worst_ns, error_ns(net, hosts, &line, i * INT64_C(100000000000)));
    if (edge == 0) {
        draw_points(fits->forward, samples->forward, samples->forwards, &line);
        draw_points(fits->reverse, samples->reverse, samples->reverses, &line);
        ordo_figure_point(fits->line, (double)samples->forward[0].at_ps * 1e-12, 0);
        ordo_figure_point(fits->line, (double)samples->forward[samples->forwards - 1].at_ps * 1e-12, 0);
    }
}

int figure_huygens_svm(struct ordo_figure_run *run, struct ordo_error *error)
{
    static const struct figure_probing_calls calls = {.edge = fit_edge};
    struct ordo_net_options options = ordo_figure_network(run, ORDO_NET_CLOS, HOSTS, 2);
    struct ordo_figure_panel *panel = ordo_figure_panel(run, "one edge, 40% load", "time (s)",
                                                        "clock difference less the line (ns)", ORDO_FIGURE_LINEAR);
    struct fits fits = {.forward = ordo_figure_curve(panel, "probes from A to B", ORDO_FIGURE_POINTS),
                        .reverse = ordo_figure_curve(panel, "probes from B to A", ORDO_FIGURE_POINTS),
                        .line = ordo_figure_curve(panel, "support vector machine", ORDO_FIGURE_LINE),
                        .estimator = ordo_net_offset_estimator_find("svm")};
    int code = figure_probe(&options, 4, &calls, &fits, error);
    if (!code && fits.full)
        code = ordo_error_errno(error, "the line of an edge");
    if (code)
        return code;
    /* "Within 100 ns": an upper limit without a tolerance. */
    ordo_figure_value(run, "largest error of an edge's line in a window", "ns", 100, fits.worst_ns, ORDO_FIGURE_LIMIT,
                      1);
    ordo_figure_claim(
        run, fits.lines > 10 && fits.worst_side < 0.01,
        "the line has the probes of the two directions on its two sides (but for stamps that are far off)");
    return ORDO_OK;
}

/* Three clocks. B is 10 ahead of A, and measured as 20 ahead; the measurements of the loop add up to 10 instead of 0.
 * The least correction, in the sense of the norm, takes a third of the surplus from each edge. */
int figure_huygens_effect(struct ordo_figure_run *run, struct ordo_error *error)
{
    struct ordo_net_edge edge[] = {{0, 1}, {1, 2}, {2, 0}};
    const struct ordo_net_mesh mesh = {.hosts = 3, .edges = 3, .edge = edge};
    const double measured[] = {20, -15, 5}, truth[] = {10, -15, 5};
    double potential[3] = {0, 0, 0}, loop = 0, even = 0, before = 0, after = 0;
    struct ordo_figure_panel *panel =
        ordo_figure_panel(run, "A, B and C in a loop", "edge (AB, BC, CA)", "offset", ORDO_FIGURE_LINEAR);
    struct ordo_figure_curve *curve[] = {ordo_figure_curve(panel, "measured", ORDO_FIGURE_POINTS),
                                         ordo_figure_curve(panel, "after the network effect", ORDO_FIGURE_POINTS),
                                         ordo_figure_curve(panel, "truth", ORDO_FIGURE_POINTS)};
    if (!ordo_net_mesh_balance(&mesh, NULL, measured, potential))
        return ordo_error_errno(error, "a loop of three clocks");
    for (int i = 0; i < 3; i++) {
        double found = potential[edge[i].b] - potential[edge[i].a];
        ordo_figure_point(curve[0], i, measured[i]);
        ordo_figure_point(curve[1], i, found);
        ordo_figure_point(curve[2], i, truth[i]);
        loop += found;
        even = fmax(even, measured[i] - found);
        before = fmax(before, fabs(measured[i] - truth[i]));
        after = fmax(after, fabs(found - truth[i]));
    }
    /* Arithmetic: exact but for the rounding of 10 / 3. */
    ordo_figure_value(run, "correction of each edge for a surplus of 10", "", 10 / 3.0, even, ORDO_FIGURE_EQUAL,
                      1.0001);
    ordo_figure_claim(run, fabs(loop) < 1e-9, "the corrected offsets of a loop add up to 0");
    ordo_figure_claim(run, after < before, "the largest error of an edge is smaller than before");
    return ORDO_OK;
}
