/* Figure 8 and equation 3: both boards stamp one edge in an interrupt, each after a delay of its own. An oscilloscope
 * measures the difference of the delays, and the offset of the clocks follows. */
#include <math.h>

#include "base/random.h"
#include "base/spread.h"
#include "lab/figures/libri/libri.h"

enum { EDGES = 1000, DELAY_NS = 5000 };

struct edges {
    double error_ns[EDGES], raw_ns[EDGES]; /* errors of the computed offset, with and without the correction */
};

static void stamp_edges(const struct ordo_net *net, uint64_t random, struct edges *edges,
                        struct ordo_figure_curve *delays)
{
    const struct ordo_net_stamps stamps = {.software = true, .jitter_ns = DELAY_NS};
    for (int i = 0; i < EDGES; i++) {
        int64_t edge_ps = (i + 1) * INT64_C(10000000000);
        int64_t master_ps = ordo_net_stamps_came(&stamps, 0, edge_ps, &random);
        int64_t slave_ps = ordo_net_stamps_came(&stamps, 1, edge_ps, &random);
        int64_t master = ordo_net_clock_true(net, 0, master_ps), slave = ordo_net_clock_true(net, 1, slave_ps);
        int64_t truth = ordo_net_clock_true(net, 1, edge_ps) - ordo_net_clock_true(net, 0, edge_ps);
        edges->raw_ns[i] = (double)(slave - master - truth) * 1e-3;
        edges->error_ns[i] = (double)(slave - (master + slave_ps - master_ps) - truth) * 1e-3;
        if (i < 200)
            ordo_figure_point(delays, (double)(master_ps - edge_ps) * 1e-6, (double)(slave_ps - edge_ps) * 1e-6);
    }
}

int ordo_libri_interrupts(struct ordo_figure_run *run, struct ordo_error *error)
{
    static struct edges edges;
    const struct ordo_net_options options = ordo_net_testbed_network(2, 20, ordo_figure_seed(run));
    struct ordo_net *net = ordo_net_new(&options, error);
    if (!net)
        return error->code;
    struct ordo_figure_panel *panel = ordo_figure_panel(run, "delays of the interrupts of both boards", "master, us",
                                                        "slave, us", ORDO_FIGURE_LINEAR);
    stamp_edges(net, ordo_figure_seed(run), &edges, ordo_figure_curve(panel, "an edge", ORDO_FIGURE_POINTS));
    ordo_net_free(net);
    struct ordo_spread corrected = ordo_stats_spread(edges.error_ns, EDGES);
    struct ordo_spread raw = ordo_stats_spread(edges.raw_ns, EDGES);
    ordo_figure_claim(run, fabs(corrected.mean) < 1 && corrected.deviation < 1,
                      "equation 3 gives the offset of the clocks to within 1 ns");
    ordo_figure_claim(run, raw.deviation > 513.7,
                      "without the correction the delays of the interrupts hide the precision of PTP");
    return ORDO_OK;
}
