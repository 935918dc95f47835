/* OSMOSIS as a protocol on the shapes of the simulated network: hosts and switches are its processes, and host 0 has the reference.
 *
 * The automaton is in process.h, its channels and registers in tree.h. */
#ifndef ORDO_LAB_NET_OSMOSIS_OSMOSIS_H
#define ORDO_LAB_NET_OSMOSIS_OSMOSIS_H

#include "lab/net/score/score.h"
#include "lab/net/sim/network.h"

struct ordo_net_osmosis {
    int beacon_us; /* from one beacon to the next */
    int phase_ps;  /* the step of a measured delay there and back */
    int cuts;      /* channels of the tree that are lost for a while, one after the other, evenly over the time */
};

struct ordo_net_osmosis ordo_net_osmosis_defaults(void);

/** What came of the tree. */
struct ordo_net_osmosis_outcome {
    int processes, deepest; /* the most hops to the reference, at the end */
    int cuts, reroutes;  /* channels that were lost; processes that followed another one, since all were synchronised */
    double tagged_share; /* of the hosts' judged time, not synchronised */
    double tagged_worst_ns; /* |error| of hosts that said so; NAN: none did */
    double longest_ns;      /* the longest delay from the reference */
    int register_bits;      /* of a real-time register that counts 125 MHz from beacon to beacon */
};

/** Runs it. What hosts claim counts while they are synchronised; those that are not say so. ORDO_E_INVALID where beacons are closer than the
 * longest way takes; ORDO_E_MEASURE where nobody ever was synchronised. */
int ordo_net_osmosis_run(const struct ordo_net_options *options, const struct ordo_net_osmosis *osmosis,
                         struct ordo_net_score *score, struct ordo_net_osmosis_outcome *outcome,
                         struct ordo_error *error);

#endif
