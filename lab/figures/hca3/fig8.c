/* Figure 8: the imbalance of each barrier: five calls of the program with 500 barriers each, 32 x 16 ranks. */
#include <math.h>
#include <string.h>

#include "base/quantile.h"
#include "lab/figures/hca3/benchmark.h"
#include "lab/figures/hca3/hca3.h"
#include "lab/figures/hca3/machine.h"

enum { CALLS = 5, BINS = 60, MOST_BARRIERS = 8 };

struct imbalances {
    int count;
    double us[CALLS * HCA3_MOST_ROUNDS];
};

static int measure_imbalances(struct ordo_figure_run *run, const struct ordo_barrier *barrier, struct imbalances *all,
                              struct ordo_error *error)
{
    int code = ORDO_OK;
    for (int call = 0; call < CALLS && !code; call++) {
        struct hca3_benchmark benchmark = {.barrier = barrier, .crossings = HCA3_MOST_ROUNDS};
        struct ordo_sim_options cluster =
            hca3_cluster(HCA3_JUPITER, 32, ordo_figure_seed(run) * CALLS + (uint64_t)call);
        hca3_add_ports(&cluster, HCA3_JUPITER);
        code = hca3_benchmark_run(&cluster, &benchmark, error);
        memcpy(all->us + all->count, benchmark.imbalance, (size_t)benchmark.valid * sizeof *all->us);
        all->count += benchmark.valid;
    }
    return code;
}

/* Draws a histogram with bins of equal width on a logarithmic axis, from 1 us to 10 ms. */
static void draw_histogram(struct ordo_figure_run *run, const struct ordo_barrier *barrier,
                           const struct imbalances *all)
{
    const double decades = 4;
    int counts[BINS] = {0};
    struct ordo_figure_panel *panel =
        ordo_figure_panel(run, barrier->name, "imbalance [us]", "share of the calls", ORDO_FIGURE_LOG_X);
    struct ordo_figure_curve *curve = ordo_figure_curve(panel, "500 calls, 5 runs", ORDO_FIGURE_STEPS);
    for (int i = 0; i < all->count; i++) {
        int bin = (int)(log10(fmax(all->us[i], 1)) / decades * BINS);
        counts[bin < BINS ? bin : BINS - 1]++;
    }
    for (int i = 0; i < BINS; i++)
        ordo_figure_point(curve, pow(10, decades * (i + 0.5) / BINS), (double)counts[i] / fmax(all->count, 1));
}

int ordo_figure_hca3_fig8(struct ordo_figure_run *run, struct ordo_error *error)
{
    double mean_us[MOST_BARRIERS] = {0}, tree_us = 0, next_us = INFINITY, ring_us = 0;
    int least = CALLS * HCA3_MOST_ROUNDS;
    for (int i = 0; ordo_barriers[i] && i < MOST_BARRIERS; i++) {
        struct imbalances all = {0};
        int code = measure_imbalances(run, ordo_barriers[i], &all, error);
        if (code)
            return code;
        draw_histogram(run, ordo_barriers[i], &all);
        for (int j = 0; j < all.count; j++)
            mean_us[i] += all.us[j] / all.count;
        least = all.count < least ? all.count : least;
        if (strcmp(ordo_barriers[i]->name, "tree") == 0)
            tree_us = mean_us[i];
        else
            next_us = fmin(next_us, mean_us[i]);
        ring_us = strcmp(ordo_barriers[i]->name, "double-ring") == 0 ? mean_us[i] : ring_us;
    }
    ordo_figure_claim(
        run, tree_us * 1.5 < next_us,
        "the tree leaves by far the smallest mean imbalance: below two thirds of that of any other barrier");
    ordo_figure_claim(run, ring_us > 10 * tree_us, "the double ring leaves more than ten times that of the tree");
    /* A fact, less the calls that began late. Round-Time repeats such calls, up to a limit of time. */
    ordo_figure_value(run, "calls of each barrier, of five runs", "", 2500, least, ORDO_FIGURE_EQUAL, 1.1);
    return ORDO_OK;
}
