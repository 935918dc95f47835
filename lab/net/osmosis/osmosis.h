/* OSMOSIS as a protocol on the shapes of the simulated network: hosts and switches are its processes, and host 0 has
 * the reference.
 *
 * The automaton is in process.h, its channels and registers in tree.h. */
#ifndef ORDO_LAB_NET_OSMOSIS_OSMOSIS_H
#define ORDO_LAB_NET_OSMOSIS_OSMOSIS_H

#include "lab/net/score/score.h"
#include "lab/net/sim/network.h"

struct ordo_net_osmosis {
    int beacon_us; /* time from one beacon to the next */
    int phase_ps;  /* the step of a measured round trip */
    int jitter_ps; /* standard deviation of a recovered clock's phase from that of its master */
    bool joining;  /* sub-domains without a reference join */
    int fails_ms;  /* when host 0 loses all of its channels; 0: never */
    int cuts;      /* channels of the tree that are lost for a while, one after the other, evenly over the run */
};

struct ordo_net_osmosis ordo_net_osmosis_defaults(void);

/** The tree over a run. */
struct ordo_net_osmosis_outcome {
    int processes, deepest; /* `deepest`: largest number of hops to the reference, at the end */
    int cuts, reroutes;     /* number of lost channels; number of changed masters since all were first synchronised */
    double tagged_share;    /* the share of the hosts' judged time in which they were not synchronised */
    double tagged_worst_ns; /* the largest |error| of tagged hosts; NAN: no host was tagged */
    double longest_ns;      /* the longest delay from the reference */
    int domains;            /* number of processes without a master, at the end; 1: one tree */
    double domain_apart_ns; /* largest difference of two registers of one domain at the end, without their jitter */
    int register_bits;      /* bits of a real-time register that counts 125 MHz from beacon to beacon */
};

/** Runs OSMOSIS. The claims of a host count only while the host is synchronised; at other times it is tagged.
 *
 * ORDO_E_INVALID: the time between beacons is shorter than the delay of the longest path.
 * ORDO_E_MEASURE: no host was ever synchronised. */
int ordo_net_osmosis_run(const struct ordo_net_options *options, const struct ordo_net_osmosis *osmosis,
                         struct ordo_net_score *score, struct ordo_net_osmosis_outcome *outcome,
                         struct ordo_error *error);

#endif
