/* Coded probes on a simulated network, watched one by one. */
#ifndef ORDO_LAB_FIGURES_HUYGENS_PROBING_H
#define ORDO_LAB_FIGURES_HUYGENS_PROBING_H

#include "lab/net/huygens/probes.h"

struct figure_probing;

/** The functions of the watcher; both may be NULL. */
struct figure_probing_calls {
    /** Called for the second packet of a pair. `delay_ps`: the time for which the packet was under way. */
    void (*pair)(void *context, int flow, double delay_ps, bool pure);
    /** Called at the end. `samples` has the pure pairs of an edge between the hosts `a` and `b`. */
    void (*edge)(void *context, const struct ordo_net *net, int edge, const struct ordo_net_edge *hosts,
                 const struct ordo_net_samples *samples);
};

/** Sends probes along the edges of a random mesh in which each host picks `peers` hosts. */
int figure_probe(const struct ordo_net_options *options, int peers, const struct figure_probing_calls *calls,
                 void *context, struct ordo_error *error);

#endif
