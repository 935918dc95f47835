/* DTP: counters in the physical layer of every device, which neighbours keep together by beacons.
 *
 * The automaton is in device.h. The promise of the paper's section 3.3: with oscillators within 100 ppm and beacons at
 * most about 4,000 ticks apart, no two counters of a network of D hops ever differ by more than 4 T D, where T is a
 * tick. In each hop, two ticks are for the error of the measured delay, and two ticks for the drift between two
 * beacons. A program reads a counter with an error of at most 4 T, so the readings of two programs differ by at most 4
 * T D + 8 T. The daemon (daemon.h) usually keeps to these 4 T, which is no promise; so nothing is claimed with it. */
#ifndef ORDO_LAB_NET_DTP_DTP_H
#define ORDO_LAB_NET_DTP_DTP_H

#include "lab/net/dtp/wire.h"
#include "lab/net/score/score.h"
#include "lab/net/sim/network.h"

enum { ORDO_NET_DTP_PERIOD_FS = 6400000 /* of 10 Gbit/s: 156.25 MHz */ };

/** A message that has arrived at a port. */
struct ordo_net_dtp_heard {
    int64_t sent_fs, came_fs; /* true times; `came_fs` includes the crossing of clock domains */
    int from, to;
    uint64_t bits;                        /* of the wire */
    int64_t wire_fs, back_fs;             /* true delays of the wire, in this direction and back */
    const struct ordo_net_dtp_port *port; /* of the receiver, after the message */
    int64_t local, global;                /* the receiver's counters, after the message */
};

/** The counters begin near 0; a little below 2^53 ticks, so that their lower halves wrap; or up to 2^60 ticks apart. */
enum ordo_net_dtp_first { ORDO_NET_DTP_ZERO, ORDO_NET_DTP_WRAP, ORDO_NET_DTP_FAR };

enum ordo_net_dtp_access { ORDO_NET_DTP_HARDWARE, ORDO_NET_DTP_SOFTWARE, ORDO_NET_DTP_DAEMON };

struct ordo_net_dtp {
    int beacon_ticks; /* ticks from one beacon of a port to the next */
    int alpha;        /* subtracted from a measured round trip, in ticks */
    int ticks;        /* the longest time that is simulated */
    bool extreme;     /* host 0 has the fastest oscillator that is allowed, and all others have the slowest */
    int fault_ppm;    /* by how much host 0's oscillator exceeds the fastest allowed rate */
    enum ordo_net_dtp_first first;
    /* Programs read the counters: with an error of up to 4 ticks, or by a daemon each. */
    enum ordo_net_dtp_access access;
    int smooth;    /* readings in the mean of a daemon */
    int poll_us;   /* time from one reading of a daemon to the next */
    int jitter_ns; /* mean of the part of each way of a reading that varies; exponential */
    /* Called for every message; may be NULL. */
    void (*heard)(void *context, const struct ordo_net_dtp_heard *message);
    void *context;
};

struct ordo_net_dtp ordo_net_dtp_defaults(void);

/** The counters of all devices, observed from the time at which they have met. */
struct ordo_net_counters {
    int devices, hops;
    int64_t ticks;                        /* the length of the observation, in ticks */
    int64_t worst_ticks, neighbour_ticks; /* largest difference of any two counters; of any two neighbours' counters */
    int64_t bound_ticks;                  /* 4 D */
    uint64_t violations;                  /* number of differences above bound_ticks, at most one between two moves */
    double rate_ppm;                      /* average rate of the fastest counter, relative to the true rate */
    double slowest_ppm, fastest_ppm;      /* rates of the slowest and the fastest oscillator */
    double limit_ppm;                     /* the promised limit of the oscillators */
    bool rate_held;                       /* no counter gained more than 4 D ticks on the fastest allowed oscillator */
};

/** Runs DTP on a network of its own. ORDO_E_MEASURE: the run is too short for the counters to meet. */
int ordo_net_dtp_run(const struct ordo_net_options *options, const struct ordo_net_dtp *dtp,
                     struct ordo_net_score *score, struct ordo_net_counters *counters, struct ordo_error *error);

#endif
