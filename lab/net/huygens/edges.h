/* For the judge: the errors of edges, by themselves and after the network effect. */
#ifndef ORDO_LAB_NET_HUYGENS_EDGES_H
#define ORDO_LAB_NET_HUYGENS_EDGES_H

#include "lab/net/sim/network.h"
#include "net/window/window.h"

/** The errors of the edges of HUYGENS.
 *
 * The network effect removes the errors that loops of the graph reveal. If the rate of a clock changes within a window,
 * the lines of all its edges are wrong by the same amount; no loop reveals this error, so it remains. The ratio is
 * therefore also computed against straight clocks: for each clock its straight line within the window, by least
 * squares. */
struct ordo_net_edges {
    int edges;
    double kept;            /* the share of the probes that arrived and were pure */
    double alone_stddev_ns; /* standard deviation of the error of an edge by itself, */
    double graph_stddev_ns; /* of the same edges after the network effect, */
    double ratio, theory;   /* graph_stddev_ns / alone_stddev_ns; sqrt((hosts - 1) / edges): of independent errors */
    double straight_ratio;  /* the ratio of the errors against straight clocks; NAN: no window had enough moments */
};

/** Sums of errors of all edges at all moments. */
struct ordo_net_edge_sums {
    double count, sum, squares;
};

struct ordo_net_edge_errors {
    struct ordo_net_edge_sums alone, graph, straight_alone, straight_graph;
    double *at_zero_ps, *slope; /* by host: its straight line, less that of host 0, by true time */
    bool straight;              /* this window has such lines */
};

/** Returns false if out of memory. */
bool ordo_net_edge_errors_make(struct ordo_net_edge_errors *errors, int hosts);
void ordo_net_edge_errors_free(struct ordo_net_edge_errors *errors);

/** Finds the straight lines of all clocks from these moments of true time, at the end of a window. */
void ordo_net_edge_errors_begin(struct ordo_net_edge_errors *errors, const struct ordo_net *net,
                                const int64_t *moment_ps, int moments);

/** Adds the errors of the edges as ordo_net_window_at has left them, at a moment of true time. */
void ordo_net_edge_errors_add(struct ordo_net_edge_errors *errors, const struct ordo_net *net,
                              const struct ordo_net_window *window, int64_t true_ps);

/** Fills in the deviations and the ratios. */
void ordo_net_edge_errors_describe(const struct ordo_net_edge_errors *errors, struct ordo_net_edges *edges);

#endif
