/* The properties of a simulated cluster: its clocks, its links, and disturbances. */
#ifndef ORDO_CLUSTER_TRANSPORT_SIM_OPTIONS_H
#define ORDO_CLUSTER_TRANSPORT_SIM_OPTIONS_H

#include <stdint.h>

/** Which ranks read one clock. */
enum ordo_sim_scope { ORDO_SIM_PER_RANK, ORDO_SIM_PER_SOCKET, ORDO_SIM_PER_NODE };

struct ordo_sim_options {
    int ranks, ranks_per_socket, sockets_per_node; /* all positive; ranks fill one node after the other */
    uint64_t seed;

    enum ordo_sim_scope clocks;
    int64_t offset_ns;       /* each clock begins within +- this */
    double skew_ppb;         /* has a constant rate within 1 +- this, */
    double wander_ppb;       /* and its rate swings by +- this, as a sine with a phase of its own, */
    double wander_period_s;  /* with this period (unused if wander_ppb is 0) */
    double bend_ppb;         /* from bend_at_true_ns on a rate is off by this, up on even clocks and down on odd
                              * ones, */
    double bend_late_ppb;    /* for a minute; then it grows evenly up to this after an hour, and no more */
    int64_t bend_at_true_ns; /* (the other two may be negative; 0: never) */
    int64_t granule_ns;      /* readings are rounded down to a multiple of this; positive */
    int step_rank;           /* the clock of this rank */
    int64_t step_ns;         /* jumps by this (0: never) */
    int64_t step_at_true_ns; /* at this true time */

    int64_t latency_ns;      /* least one-way latency between nodes */
    int64_t node_latency_ns; /* least one-way latency within a node */
    double asymmetry;        /* in (-1, 1): messages to a higher rank take 1 + this times as long, messages back 1 -
                              * this */
    int64_t jitter_ns;       /* mean of an exponential delay in addition */
    double tail_chance;      /* with this probability, a message has also */
    int64_t tail_ns;         /* a Pareto delay of at least this, shape 1.5: infinite variance */
    int64_t call_ns;         /* duration of a send, a receive and a reading of the clock */
    int64_t noise_ns;        /* mean of an exponential delay at the end of a busy wait, when other work has the CPU */
    int failing_split;       /* memory runs out in this split; all splits are counted from 1 (0: never) */
};

/** Returns a cluster of 512 ranks on 32 nodes, the size of the published experiments: latency 1 us, skew 20 ppm,
 * jitter. */
struct ordo_sim_options ordo_sim_defaults(void);

#endif
