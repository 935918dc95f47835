/* The properties of a simulated cluster: its ranks, its clocks, its links, and faults. */
#ifndef ORDO_CLUSTER_TRANSPORT_SIM_OPTIONS_H
#define ORDO_CLUSTER_TRANSPORT_SIM_OPTIONS_H

#include <stdint.h>

/** The ranks that share one clock. */
enum ordo_sim_scope { ORDO_SIM_PER_RANK, ORDO_SIM_PER_SOCKET, ORDO_SIM_PER_NODE };

struct ordo_sim_options {
    int ranks, ranks_per_socket, sockets_per_node; /* all positive; nodes have consecutive ranks */
    uint64_t seed;

    enum ordo_sim_scope clocks;
    int64_t offset_ns;       /* offset of each clock at true time 0: random within +- this */
    double skew_ppb;         /* constant rate of each clock: random within 1 +- this */
    double wander_ppb;       /* amplitude of a sine that is added to the rate; each clock has its own phase */
    double wander_period_s;  /* period of the sine; unused if wander_ppb is 0 */
    double bend_ppb;         /* change of the rate during the minute after bend_at_true_ns: added for clocks with an
                              * even number, subtracted for odd ones; may be negative */
    double bend_late_ppb;    /* change of the rate from an hour after bend_at_true_ns on; linear growth between */
    int64_t bend_at_true_ns; /* true time at which the rates begin to change */
    int64_t granule_ns;      /* readings are rounded down to a multiple of this; positive */
    int step_rank;           /* a rank whose clock steps */
    int64_t step_ns;         /* size of the step; 0: none */
    int64_t step_at_true_ns; /* true time of the step */

    int64_t latency_ns;      /* least one-way latency between nodes */
    int64_t node_latency_ns; /* least one-way latency within a node */
    double asymmetry;        /* in (-1, 1): the least latency is multiplied by 1 + asymmetry for a message to a higher
                              * rank, and by 1 - asymmetry for a message to a lower rank */
    int64_t jitter_ns;       /* mean of an exponential delay that each message has in addition */
    double tail_chance;      /* probability that a message also has a long delay */
    int64_t tail_ns;         /* least long delay; the delay has a Pareto distribution of shape 1.5, infinite variance */
    int64_t port_ns;         /* time for which a message between nodes occupies the port of each of the two nodes; 0:
                              * ports carry any number of messages at once */
    int64_t call_ns;         /* duration of a send, of a receive, and of a read of the clock */
    int64_t noise_ns;        /* mean of an exponential delay at the end of a busy wait, as if the CPU was busy */
    int failing_split;       /* number of the split, counted from 1, in which memory runs out; 0: none */
};

/** Returns the options of a cluster with the size of the published experiments: 512 ranks on 32 nodes, latency 1 us,
 * mean jitter 200 ns, skew 20 ppm. */
struct ordo_sim_options ordo_sim_defaults(void);

#endif
