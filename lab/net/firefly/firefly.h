/* Firefly: no host is the reference; the hosts converge because each host averages with its peers again and again.
 *
 * P. Namyar, Y. Li, W. Wang, N. Dukkipati, K. Yap, J. Gong, C. Chen, P. Gao, D. Ray, G. Kumar, Y. Ma, R. Govindan, A.
 * Vahdat, Firefly: scalable, ultra-accurate clock synchronization for datacenters, SIGCOMM 2025. This is the part that
 * synchronises devices with each other: the random regular overlay, filtered offsets between pairs, drifts by
 * regression, and averages without the extremes. The rest of the paper is left out: the slower layer that follows UTC,
 * transparent clocks in switches, and paths chosen for their symmetry. Rates and offsets are averaged in the same way
 * (L. Schenato, F. Fiorentin, Average TimeSync, Automatica 47(9), 2011).
 *
 * A host states an estimate of how far its clock is behind the common time, which no host knows. The offset of two
 * hosts is the difference of their estimates. Firefly proves no bound. */
#ifndef ORDO_LAB_NET_FIREFLY_FIREFLY_H
#define ORDO_LAB_NET_FIREFLY_FIREFLY_H

#include "lab/net/score/score.h"
#include "lab/net/sim/network.h"

struct ordo_net_firefly {
    int peers;    /* number of peers of each host; one more if not all hosts can have this number */
    int every_us; /* time between two questions to one peer */
    int round_ms; /* time between two averages of a host */
};

struct ordo_net_firefly ordo_net_firefly_defaults(void);

/** Runs Firefly on a network of its own. ORDO_E_MEASURE: no host had an answer. */
int ordo_net_firefly_run(const struct ordo_net_options *options, const struct ordo_net_firefly *firefly,
                         struct ordo_net_score *score, struct ordo_error *error);

#endif
