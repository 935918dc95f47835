/* Figure 2: the offsets of the clocks of ten nodes of Hydra to that of the first, for 500 s. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/quantile.h"
#include "cluster/sync/drift.h"
#include "lab/figures/hca3/hca3.h"
#include "lab/figures/hca3/machine.h"

enum { NODES = 10, COUNT = 501, DRAWN = 2 /* ranks in the panels with lines */ };

struct drifting {
    struct ordo_drift_point points[COUNT][NODES];
};

static int sample_offsets(struct ordo_transport *world, void *context)
{
    struct drifting *drifting = context;
    int code = ORDO_OK;
    for (int i = 0; i < COUNT && !code; i++) {
        ordo_sim_sleep_until(world, i * INT64_C(1000000000));
        code = ordo_sync_offsets(world, 50, world->rank ? NULL : drifting->points[i]);
    }
    return code;
}

/* The rates differ by up to 0.3 ppm, and swing by 0.15 ppm in ten minutes, as those of disciplined or well calibrated
 * clocks in an air-conditioned room do. One rank a node. */
static int measure_offsets(struct ordo_figure_run *run, struct drifting *drifting, struct ordo_error *error)
{
    struct ordo_sim_options cluster = hca3_cluster(HCA3_HYDRA, NODES, ordo_figure_seed(run));
    struct ordo_sim_result result;
    cluster.ranks = NODES;
    cluster.ranks_per_socket = cluster.sockets_per_node = 1;
    cluster.skew_ppb = 300;
    cluster.wander_ppb = 150;
    cluster.wander_period_s = 600;
    return ordo_sim_run(&cluster, sample_offsets, drifting, &result, error);
}

static double offset_us(const struct drifting *drifting, int rank, int second)
{
    return (double)(drifting->points[second][rank].offset_ns - drifting->points[0][rank].offset_ns) / 1e3;
}

/* Draws the offsets of `ranks` ranks for some seconds, and the lines through them if `lines` is not NULL. */
static void draw_offsets(struct ordo_figure_run *run, const char *title, const struct drifting *drifting, int ranks,
                         int seconds, const struct ordo_drift_line *lines)
{
    struct ordo_figure_panel *panel =
        ordo_figure_panel(run, title, "time [s]", "clock offset [us]", ORDO_FIGURE_LINEAR);
    for (int rank = 1; rank <= ranks; rank++) {
        char name[60];
        (void)snprintf(name, sizeof name, "rank %d", rank);
        struct ordo_figure_curve *curve = ordo_figure_curve(panel, name, ORDO_FIGURE_POINTS);
        for (int i = 0; i <= seconds; i++)
            ordo_figure_point(curve, i, offset_us(drifting, rank, i));
        if (!lines)
            continue;
        double begin_us = (lines[rank].offset_ns - (double)drifting->points[0][rank].offset_ns) / 1e3;
        (void)snprintf(name, sizeof name, "R^2 = %.4f", lines[rank].r_squared);
        curve = ordo_figure_curve(panel, name, ORDO_FIGURE_LINE);
        ordo_figure_point(curve, 0, begin_us);
        ordo_figure_point(curve, seconds, begin_us + lines[rank].slope_ppb * seconds / 1e3);
    }
}

/* Returns the median error, in ns, of the lines of the first 10 s, when they are extrapolated to a later time. */
static double extrapolation_error_ns(const struct drifting *drifting, const struct ordo_drift_line *lines, int second)
{
    int64_t errors_ns[NODES - 1];
    for (int rank = 1; rank < NODES; rank++)
        errors_ns[rank - 1] = llabs((int64_t)(lines[rank].offset_ns + lines[rank].slope_ppb * second) -
                                    drifting->points[second][rank].offset_ns);
    return (double)ordo_stats_median_int(errors_ns, NODES - 1);
}

int ordo_figure_hca3_fig2(struct ordo_figure_run *run, struct ordo_error *error)
{
    static struct drifting drifting;
    struct ordo_drift_line whole[NODES], first[NODES];
    int straight = 0, bent = 0, code = measure_offsets(run, &drifting, error);
    for (int rank = 1; rank < NODES && !code; rank++) {
        code = ordo_drift_fit(&drifting.points[0][rank], COUNT, NODES, INFINITY, &whole[rank]);
        code = code ? code : ordo_drift_fit(&drifting.points[0][rank], COUNT, NODES, 10, &first[rank]);
        straight += first[rank].r_squared > 0.9;
        bent += whole[rank].residual_ns > 10 * first[rank].residual_ns;
    }
    if (code)
        return code;
    draw_offsets(run, "(a) 500 s", &drifting, NODES - 1, COUNT - 1, NULL);
    draw_offsets(run, "(b) 500 s, with lines", &drifting, DRAWN, COUNT - 1, whole);
    draw_offsets(run, "(c) the first 10 s", &drifting, DRAWN, 10, first);
    double at_20_ns = extrapolation_error_ns(&drifting, first, 20),
           at_60_ns = extrapolation_error_ns(&drifting, first, 60);
    ordo_figure_claim(run, straight > (NODES - 1) / 2, "in the first 10 s, R^2 is usually higher than 0.9");
    ordo_figure_claim(run, bent == NODES - 1,
                      "over 500 s, every clock leaves its line ten times as far as in the first 10 s");
    ordo_figure_claim(run, at_20_ns < 1000, "a line of the first 10 s is accurate to 1 us until 20 s");
    ordo_figure_claim(run, at_60_ns > 2 * at_20_ns, "after one minute, its accuracy is significantly lower");
    return ORDO_OK;
}
