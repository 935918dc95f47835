/* DTP: counters in the physical layer of every device, which neighbours keep together by beacons.
 *
 * The automaton is in device.h. What it promises, the paper's section 3.3: with oscillators within 100 ppm and beacons at most some 4,000
 * ticks apart, no two counters of a network of D hops are ever further apart than 4 T D, T being a tick: two ticks for a
 * delay that is measured, and two for what happens between two beacons. A program reads a counter to within 4 T, so that two
 * programs are within 4 T D + 8 T. */
#ifndef ORDO_LAB_NET_DTP_DTP_H
#define ORDO_LAB_NET_DTP_DTP_H

#include "lab/net/score/score.h"
#include "lab/net/sim/network.h"

enum { ORDO_NET_DTP_PERIOD_FS = 6400000 /* of 10 Gbit/s: 156.25 MHz */ };

struct ordo_net_dtp {
    int beacon_ticks; /* from one beacon of a port to the next */
    int alpha;        /* what the measured way there and back is shortened by */
    int ticks;        /* how long it is simulated, at most */
    bool extreme;     /* host 0 has the fastest oscillator that is allowed, and all others the slowest */
    int fault_ppm;    /* host 0's is faster by this than is allowed */
    bool software;    /* counters are read by programs */
};

struct ordo_net_dtp ordo_net_dtp_defaults(void);

/** What came of the counters of all devices, from when they had met. */
struct ordo_net_counters {
    int devices, hops;
    int64_t ticks;                        /* for how many */
    int64_t worst_ticks, neighbour_ticks; /* the largest difference of any two, and of any two neighbours */
    int64_t bound_ticks;                  /* 4 D */
    uint64_t violations;                  /* how many times two came to differ by more */
    double rate_ppm;                      /* of the fastest counter, over all of it, from the true rate */
    double slowest_ppm, fastest_ppm;      /* of the oscillators */
    double limit_ppm;                     /* what is promised of them */
    bool rate_held;                       /* no counter ran faster than an oscillator may, but for 4 D ticks once */
};

/** Runs it on a network of its own. ORDO_E_MEASURE where the counters have no time to meet. */
int ordo_net_dtp_run(const struct ordo_net_options *options, const struct ordo_net_dtp *dtp,
                     struct ordo_net_score *score, struct ordo_net_counters *counters, struct ordo_error *error);

#endif
