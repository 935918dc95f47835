/* Schemes by which benchmarks measure the run time of a collective operation.
 *
 * - By a barrier (OSU Micro-Benchmarks, Intel MPI Benchmarks, ReproMPI): the ranks pass a barrier, and then each rank
 *   times its own call. The benchmarks summarise these times in different ways.
 * - By time (Round-Time; Hunold and Carpen-Amarie, CLUSTER 2018, Algorithm 5): all ranks begin at the same global time,
 *   and the run ends when the last rank ends.
 *
 * The results are valid on rank 0. */
#ifndef ORDO_CLUSTER_BARRIER_SCHEME_H
#define ORDO_CLUSTER_BARRIER_SCHEME_H

#include "cluster/sync/harmonize.h"

/** A collective operation, or a barrier, which a scheme calls. Returns 0 or a negative code. */
typedef int ordo_scheme_call(struct ordo_transport *transport, void *context);

/** The results of measurements after a barrier, in ns. */
struct ordo_scheme_times {
    double mean_ns;      /* mean over rounds and ranks: the average of the OSU Micro-Benchmarks */
    double slowest_ns;   /* largest mean over rounds of a rank: t_max of the Intel MPI Benchmarks */
    int64_t *longest_ns; /* of each round the longest time of a rank: ReproMPI takes their median */
};

/** Collective: makes `rounds` rounds, each a barrier and a call. The caller has room for `rounds` numbers at
 * times->longest_ns, on every rank. Returns 0, or the first code of a barrier, a call or a message. */
int ordo_scheme_by_barrier(struct ordo_transport *transport, ordo_scheme_call *barrier, ordo_scheme_call *call,
                           void *context, int rounds, struct ordo_scheme_times *times);

/** One round of Round-Time, in ns of global time. */
struct ordo_scheme_round {
    int64_t run_ns;       /* from the agreed begin until the last rank has ended */
    int64_t imbalance_ns; /* from the first rank's end to the last rank's end */
    bool late;            /* true: a rank received the agreed begin too late, and the round is invalid */
};

/** Collective: makes one round, which begins `notice_ns` after rank 0 announces it; 0: the notice that `harmonizer` has
 * learnt. */
int ordo_scheme_by_time(struct ordo_transport *transport, const struct ordo_model *model, int64_t notice_ns,
                        struct ordo_harmonizer *harmonizer, ordo_scheme_call *call, void *context,
                        struct ordo_scheme_round *round);

#endif
