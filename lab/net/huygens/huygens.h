/* HUYGENS: coded probes, an estimator on each edge of a random mesh, the network effect, and proved bounds.
 *
 * Y. Geng, S. Liu, Z. Yin, A. Naik, B. Prabhakar, M. Rosenblum, A. Vahdat, Exploiting a natural network effect for
 * scalable, fine-grained clock synchronization, NSDI 2018. The bounds are not in the paper.
 *
 * HUYGENS states the offsets of a window after the window. In real time (the paper's HUYGENS-R) the offsets are forecast
 * from the windows that are over (forecast.h), and no bounds are claimed. */
#ifndef ORDO_LAB_NET_HUYGENS_HUYGENS_H
#define ORDO_LAB_NET_HUYGENS_HUYGENS_H

#include "lab/net/huygens/edges.h"
#include "lab/net/score/score.h"
#include "lab/net/sim/network.h"
#include "net/offset/estimator.h"

struct ordo_net_huygens {
    const struct ordo_net_offset_estimator *estimator;
    bool coded, balanced; /* use coded probes; use the network effect */
    int peers;            /* number of peers that each host picks */
    bool real_time;       /* forecast the offsets */
    int window_ms;        /* longest time of a window */
    int every_us;         /* mean time between two probes of one edge in one direction */
    int spacing_ns, tolerance_ns;
    /* In real time: also scores the offsets as they are known after each window; may be NULL. */
    struct ordo_net_score *afterwards;
};

struct ordo_net_huygens ordo_net_huygens_defaults(void);

/** Runs HUYGENS on a network of its own. ORDO_E_MEASURE: in no window did probes connect any host with host 0. */
int ordo_net_huygens_run(const struct ordo_net_options *options, const struct ordo_net_huygens *huygens,
                         struct ordo_net_score *score, struct ordo_net_edges *edges, struct ordo_error *error);

#endif
