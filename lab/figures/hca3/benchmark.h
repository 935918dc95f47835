/* Benchmarks of collective operations on a simulated cluster: by a barrier and by time, and the imbalance of barriers. */
#ifndef ORDO_LAB_FIGURES_HCA3_BENCHMARK_H
#define ORDO_LAB_FIGURES_HCA3_BENCHMARK_H

#include "cluster/barrier/barrier.h"
#include "cluster/transport/sim.h"

enum { HCA3_MOST_ROUNDS = 500 };

/** One call of a benchmark program: it synchronises the clocks by H2HCA, and makes these numbers of rounds. The
 * operation is an allreduce by recursive doubling with messages of 16 bytes; the time of a simulated message does not
 * depend on its size. */
struct hca3_benchmark {
    const struct ordo_barrier *barrier;
    int by_barrier, by_time, crossings; /* rounds of each kind */

    /* Results, in us. */
    double osu, intel, repro; /* the allreduce after a barrier, as three benchmarks report it */
    double round_time;        /* the allreduce by Round-Time: the median of the valid rounds, NaN without any */
    int valid;                /* crossings of the barrier that began in time */
    double imbalance[HCA3_MOST_ROUNDS]; /* of these */
};

/** Collective: exchanges the messages of an allreduce of 16 bytes by recursive doubling. */
int hca3_allreduce(struct ordo_transport *world);

int hca3_benchmark_run(const struct ordo_sim_options *cluster, struct hca3_benchmark *benchmark,
                       struct ordo_error *error);

#endif
