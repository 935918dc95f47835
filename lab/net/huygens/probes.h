/* Probes along the edges of a mesh, in both directions, and the points that they yield.
 *
 * A probe is a pair of packets, a stated time apart. If a pair arrives with the spacing with which it left, it has most
 * likely met no queue, and none of its stamps was far off. Such a pair is pure, and only pure pairs yield a point.
 * (Geng et al., NSDI 2018, section 3.1.) */
#ifndef ORDO_LAB_NET_HUYGENS_PROBES_H
#define ORDO_LAB_NET_HUYGENS_PROBES_H

#include "lab/net/sim/network.h"
#include "net/graph/mesh.h"
#include "net/offset/samples.h"

struct ordo_net_probe_plan {
    bool coded;           /* false: every packet yields a point */
    int64_t every_ps;     /* mean time between two pairs of one edge in one direction */
    int64_t spacing_ps;   /* time between the two packets of a pair */
    int64_t tolerance_ps; /* the largest change of the spacing of a pure pair */
    uint64_t seed;
};

/** A direction of an edge: flow 2 * edge goes from a to b, and 2 * edge + 1 back. */
struct ordo_net_flow {
    int64_t number, sent_ps, came_ps; /* of the pair's first packet, if it has arrived */
    struct ordo_net_point *point;
    size_t count, room;
};

struct ordo_net_probes {
    const struct ordo_net_mesh *mesh;
    struct ordo_net_probe_plan plan;
    struct ordo_net_flow *flow;
    uint64_t random;
    uint64_t pairs, kept; /* number of pairs that arrived whole, and of pairs that yielded points */
    bool full;            /* memory ran out */
};

/** Makes the probes of a mesh. `mesh` must outlive `probes`. Returns false if out of memory. */
bool ordo_net_probes_make(struct ordo_net_probes *probes, const struct ordo_net_mesh *mesh,
                          const struct ordo_net_probe_plan *plan);
void ordo_net_probes_free(struct ordo_net_probes *probes);

/** Sets the alarms of all flows, each at a time of its own. */
void ordo_net_probes_start(struct ordo_net_probes *probes, struct ordo_net *net);
/** Sends the next pair of a flow, when its alarm rings. */
void ordo_net_probes_wake(struct ordo_net_probes *probes, struct ordo_net *net, int flow);
void ordo_net_probes_arrive(struct ordo_net_probes *probes, const struct ordo_net_packet *packet, int64_t stamp_ps);

/** Returns the points of an edge so far, in order. They are valid until ordo_net_probes_forget. */
struct ordo_net_samples ordo_net_probes_of(struct ordo_net_probes *probes, int edge);
void ordo_net_probes_forget(struct ordo_net_probes *probes);

#endif
