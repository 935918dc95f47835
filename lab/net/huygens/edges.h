/* For the judge: the errors of edges, before and after the network effect. */
#ifndef ORDO_LAB_NET_HUYGENS_EDGES_H
#define ORDO_LAB_NET_HUYGENS_EDGES_H

#include "lab/net/sim/network.h"
#include "net/window/window.h"

/** The errors of the edges of HUYGENS.
 *
 * The network effect removes the errors that loops of the graph reveal. If the rate of a clock changes within a window,
 * the lines of all its edges are wrong by the same amount; no loop reveals this error, so it remains. The ratio is
 * therefore also computed against straight clocks: each clock is replaced by its straight line within the window, by
 * least squares. */
struct ordo_net_edges {
    int edges;
    double kept;            /* the share of the probes that arrived and were pure */
    double alone_stddev_ns; /* standard deviation of the errors of edges before the network effect */
    double graph_stddev_ns; /* standard deviation of the errors of these edges after the network effect */
    /* `ratio`: graph_stddev_ns / alone_stddev_ns. `theory`: the ratio for independent errors,
     * sqrt((hosts - 1) / edges). */
    double ratio, theory;
    double straight_ratio; /* the ratio of the errors against straight clocks; NAN: no window had enough moments */
};

/** Sums of errors of all edges at all moments. */
struct ordo_net_edge_sums {
    double count, sum, squares;
};

struct ordo_net_edge_errors {
    struct ordo_net_edge_sums alone, graph, straight_alone, straight_graph;
    double *at_zero_ps, *slope; /* by host: its straight line over true time, less the line of host 0 */
    bool straight;              /* this window has such lines */
};

/** Makes empty sums. Returns false if out of memory. */
bool ordo_net_edge_errors_make(struct ordo_net_edge_errors *errors, int hosts);
void ordo_net_edge_errors_free(struct ordo_net_edge_errors *errors);

/** Finds the straight lines of all clocks from their readings at these true times. Call at the end of a window. */
void ordo_net_edge_errors_begin(struct ordo_net_edge_errors *errors, const struct ordo_net *net,
                                const int64_t *moment_ps, int moments);

/** Adds the errors of the edges as ordo_net_window_at has left them, at a moment of true time. */
void ordo_net_edge_errors_add(struct ordo_net_edge_errors *errors, const struct ordo_net *net,
                              const struct ordo_net_window *window, int64_t true_ps);

/** Fills in the deviations and the ratios. */
void ordo_net_edge_errors_describe(const struct ordo_net_edge_errors *errors, struct ordo_net_edges *edges);

#endif
