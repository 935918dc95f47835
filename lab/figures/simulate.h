/* Protocols on the simulated network, as parts of a figure. */
#ifndef ORDO_LAB_FIGURES_SIMULATE_H
#define ORDO_LAB_FIGURES_SIMULATE_H

#include "lab/figures/figure.h"
#include "lab/net/protocol/protocol.h"

/** Returns the options of a network with the seed of the run, and otherwise the defaults of `ordo-lab simulate`. */
struct ordo_net_options ordo_figure_network(const struct ordo_figure_run *run, enum ordo_net_shape_kind shape,
                                            int hosts, double seconds);

/** Returns such a network whose oscillators are within 100 ppm and have constant rates, as those of Ethernet. */
struct ordo_net_options ordo_figure_ethernet(const struct ordo_figure_run *run, enum ordo_net_shape_kind shape,
                                             int hosts, double seconds);

/** Runs a protocol that is written as in `ordo-lab simulate`, such as "huygens:coding=no". */
int ordo_figure_simulate(const char *protocol, const struct ordo_net_options *options, struct ordo_net_outcome *outcome,
                         struct ordo_error *error);

/** Draws the distribution of the absolute errors, in ns, as the share of errors that are smaller. */
void ordo_figure_distribution(struct ordo_figure_panel *panel, const char *name, const struct ordo_net_score *score);

#endif
