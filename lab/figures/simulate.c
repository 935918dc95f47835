#include "lab/figures/simulate.h"

struct ordo_net_options ordo_figure_network(const struct ordo_figure_run *run, enum ordo_net_shape_kind shape,
                                            int hosts, double seconds)
{
    struct ordo_net_options options = ordo_net_defaults();
    options.shape = shape;
    options.hosts = hosts;
    options.seconds = seconds;
    options.traffic.seed = ordo_figure_seed(run);
    return options;
}

struct ordo_net_options ordo_figure_ethernet(const struct ordo_figure_run *run, enum ordo_net_shape_kind shape,
                                             int hosts, double seconds)
{
    struct ordo_net_options options = ordo_figure_network(run, shape, hosts, seconds);
    options.clock.skew_ppb = 100000;
    options.clock.walk_ppb = options.clock.swing_ppb = 0;
    return options;
}

int ordo_figure_simulate(const char *protocol, const struct ordo_net_options *options, struct ordo_net_outcome *outcome,
                         struct ordo_error *error)
{
    struct ordo_net_choice choice;
    *outcome = (struct ordo_net_outcome){.has_edges = false};
    int code = ordo_net_choice_parse(&choice, protocol, error);
    return code ? code : choice.protocol->run(options, &choice, outcome, error);
}

void ordo_figure_distribution(struct ordo_figure_panel *panel, const char *name, const struct ordo_net_score *score)
{
    struct ordo_figure_curve *curve = ordo_figure_curve(panel, name, ORDO_FIGURE_LINE);
    for (int i = 0; i < ORDO_NET_CURVE; i++)
        ordo_figure_point(curve, score->curve_ns[i], i * 1e-3);
}
