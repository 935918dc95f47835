/* The errors of HUYGENS and of HUYGENS-R in a Clos network of 128 hosts. */
#include <math.h>
#include <stdio.h>

#include "lab/figures/huygens/huygens.h"
#include "lab/figures/simulate.h"

/* The published errors of both, in ns: their mean, and their 99th percentile. */
struct published {
    double huygens[2], real_time[2];
};

static void report_errors(struct ordo_figure_run *run, const char *name, const struct ordo_net_score *score,
                          const double published[2], double factor)
{
    char what[100];
    (void)snprintf(what, sizeof what, "%s, mean error", name);
    ordo_figure_value(run, what, "ns", published[0], score->mean_absolute_ns, ORDO_FIGURE_LIMIT, factor);
    (void)snprintf(what, sizeof what, "%s, 99th percentile of the error", name);
    ordo_figure_value(run, what, "ns", published[1], score->p99_ns, ORDO_FIGURE_LIMIT, factor);
}

/* The published errors are upper limits of a test bed with 128 hosts. Ours come from one run, in which a few windows of
 * few edges decide the 99th percentile: from seed to seed it varies by a quarter, so the factor is 1.25. The source does
 * not state how often probes are sent. At 90% load the errors depend on it: with a pair each 250 us (of an edge and
 * direction) HUYGENS has a 99th percentile of 60 ns, and with a pair each 160 us 33 ns. */
static int repeat_netfpga(struct ordo_figure_run *run, double load, int every_us, double seconds,
                          const struct published *published, struct ordo_error *error)
{
    struct ordo_net_options options = ordo_figure_network(run, ORDO_NET_CLOS, 128, seconds);
    struct ordo_net_huygens huygens = ordo_net_huygens_defaults();
    struct ordo_net_score now, afterwards;
    struct ordo_net_edges edges;
    struct ordo_figure_panel *panel = ordo_figure_panel(run, "128 hosts, Clos network of two stages", "|error| (ns)",
                                                        "share of smaller errors", ORDO_FIGURE_LINEAR);
    options.traffic.load = load;
    huygens.every_us = every_us;
    huygens.real_time = true;
    huygens.afterwards = &afterwards;
    int code = ordo_net_huygens_run(&options, &huygens, &now, &edges, error);
    if (code)
        return code;
    ordo_figure_distribution(panel, "HUYGENS", &afterwards);
    ordo_figure_distribution(panel, "HUYGENS-R", &now);
    report_errors(run, "HUYGENS", &afterwards, published->huygens, 1.25);
    report_errors(run, "HUYGENS-R", &now, published->real_time, 1.25);
    ordo_figure_claim(run, now.bytes_per_second_per_host < 0.02 * options.traffic.gbps * 1e9 / 8,
                      "the probes take less than a fiftieth of a link");
    ordo_figure_claim(run, afterwards.bound_held, "every proved bound holds");
    ordo_figure_claim(run, edges.graph_stddev_ns < 0.6 * edges.alone_stddev_ns,
                      "the network effect takes at least 40% of the error of an edge");
    return ORDO_OK;
}

int figure_huygens_load40(struct ordo_figure_run *run, struct ordo_error *error)
{
    static const struct published published = {{12, 30}, {15, 45}};
    return repeat_netfpga(run, 0.4, 1000, 8, &published, error);
}

int figure_huygens_load90(struct ordo_figure_run *run, struct ordo_error *error)
{
    static const struct published published = {{16, 45}, {23, 58}};
    return repeat_netfpga(run, 0.9, 160, 8, &published, error);
}
