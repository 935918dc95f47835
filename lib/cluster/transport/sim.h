/* A simulated cluster whose true clocks are known: every synchronisation can be judged against the truth.
 *
 * Deterministic: the same options give the same run, message by message. */
#ifndef ORDO_CLUSTER_TRANSPORT_SIM_H
#define ORDO_CLUSTER_TRANSPORT_SIM_H

#include "cluster/transport/transport.h"

/** Which ranks read one clock. */
enum ordo_sim_scope { ORDO_SIM_PER_RANK, ORDO_SIM_PER_SOCKET, ORDO_SIM_PER_NODE };

struct ordo_sim_options {
    int ranks, ranks_per_socket, sockets_per_node; /* all positive; ranks fill one node after the other */
    uint64_t seed;

    enum ordo_sim_scope clocks;
    int64_t offset_ns;       /* each clock starts within +- this */
    double skew_ppb;         /* and has a constant rate within 1 +- this, */
    double wander_ppb;       /* which swings by +- this, as a sine with a phase of its own, */
    double wander_period_s;  /* in this time (where wander_ppb is not 0) */
    double bend_ppb;         /* from bend_at_true_ns on a rate is off by this, up on even clocks and down on odd, */
    double bend_late_ppb;    /* for a minute, then evenly more up to this after an hour, and no more */
    int64_t bend_at_true_ns; /* (the others may be negative, or 0: never) */
    int64_t granule_ns;      /* readings are rounded down to a multiple; positive */
    int step_rank;           /* the clock of this rank */
    int64_t step_ns;         /* jumps by this (0: never) */
    int64_t step_at_true_ns; /* at this true time */

    int64_t latency_ns;      /* least one-way latency between nodes */
    int64_t node_latency_ns; /* and within a node */
    double asymmetry;        /* in (-1, 1): messages to a higher rank take 1 + this, back 1 - this times as long */
    int64_t jitter_ns;       /* mean of an exponential delay on top */
    double tail_chance;      /* a message also suffers, with this chance, */
    int64_t tail_ns;         /* a Pareto delay of at least this, shape 1.5: infinite variance */
    int64_t call_ns;         /* what a send, a receive and a reading of the clock take */
    int64_t noise_ns;        /* mean of an exponential delay with which a busy wait ends: other work has the CPU */
    int failing_split;       /* memory runs out in this split, all of them counted from 1 (0: never) */
};

/** A cluster of 512 ranks on 32 nodes, the size of the published experiments: latency 1 us, skew 20 ppm, jitter. */
struct ordo_sim_options ordo_sim_defaults(void);

struct ordo_sim_result {
    uint64_t messages;
    int64_t true_ns; /* when the last rank ended; they begin at 0 */
};

/** What every rank runs; returns 0 or a negative code. */
typedef int ordo_sim_body(struct ordo_transport *world, void *context);

/** Runs `body` on every rank, as coroutines of the calling thread. Returns the code of the lowest rank that failed, or
 * ORDO_E_MEASURE where ranks wait for each other for ever (what they had allocated is then lost). */
int ordo_sim_run(const struct ordo_sim_options *options, ordo_sim_body *body, void *context,
                 struct ordo_sim_result *result, struct ordo_error *error);

/** For judges only: the true time at this rank, all messages sent so far, what the clock of a rank of `self`'s world
 * shows at a true time, to 1 ns below. */
int64_t ordo_sim_true_ns(const struct ordo_transport *self);
uint64_t ordo_sim_messages(const struct ordo_transport *self);
int64_t ordo_sim_clock_ns(const struct ordo_transport *self, int world_rank, int64_t true_ns);

/** For judges only: lets time pass at this rank until `true_ns`. */
void ordo_sim_sleep_until(struct ordo_transport *self, int64_t true_ns);

#endif
