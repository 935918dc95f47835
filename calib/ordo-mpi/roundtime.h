/* Round-Time (Hunold and Carpen-Amarie, CLUSTER 2018, Algorithm 5): in each round, all ranks begin an operation at an
 * agreed global time. Rounds are repeated until a time slice is over. A round is invalid if a rank received the agreed
 * time too late. */
#ifndef ORDO_MPI_ROUNDTIME_H
#define ORDO_MPI_ROUNDTIME_H

#include <stdbool.h>

#include "base/quantile.h"
#include "collective.h"
#include "session.h"

enum { ROUNDTIME_BARRIERS = 8 };

struct roundtime_plan {
    double slice_s, slack; /* slice_s: seconds for each operation; slack: time from the message to the begin of a round,
                            * in latencies of a broadcast */
    int most_rounds;
    int barriers; /* number of barriers; for each, also measures by the barrier scheme: each rank times its own call after
                   * the barrier */
    const struct ordo_barrier *barrier[ROUNDTIME_BARRIERS]; /* NULL: MPI_Barrier */
};

/** Run times by the barrier scheme, as three benchmarks report them. */
struct roundtime_barrier {
    struct ordo_median longest_ns; /* of each round the longest time of a rank: ReproMPI */
    double mean_ns;                /* mean of rounds and ranks: OSU Micro-Benchmarks */
    double slowest_ns;             /* largest mean of a rank: Intel MPI Benchmarks */
};

struct roundtime {
    int valid, invalid;
    struct ordo_median run_ns;  /* time from the agreed begin until the last rank has finished */
    struct ordo_median skew_ns; /* time from the first rank's exit to the last rank's exit */
    double least_ns, most_ns, most_skew_ns;
    int barriers; /* number of measured barriers: that of the plan, or 0 if no round was valid */
    struct roundtime_barrier barrier[ROUNDTIME_BARRIERS];
};

/** The accuracy of the global clock at one time, on rank 0. A run time below this accuracy is meaningless. */
struct roundtime_clock {
    int64_t bound_ns;                          /* proved bound on the error of every rank's global time */
    int rank;                                  /* the measured rank with the largest offset; -1: none was measured */
    int64_t measured_low_ns, measured_high_ns; /* measured interval of its global clock minus rank 0's */
};

/** Collective: measures the accuracy of the global clock on at most 64 ranks, which `seed` picks. False if a
 * measurement refutes the clock. */
bool roundtime_look(struct mpi_session *session, uint64_t seed, struct roundtime_clock *clock);

/** Collective: returns the latency of a broadcast in ns, from the root's call to the last rank's exit: the median of
 * several broadcasts. */
double roundtime_broadcast_ns(struct mpi_session *session);

/** Collective: measures one operation. The result is valid on rank 0. ORDO_E_SYSTEM: out of memory. */
int roundtime_measure(struct mpi_session *session, const struct roundtime_plan *plan, double broadcast_ns,
                      const struct mpi_collective *collective, const struct mpi_buffers *buffers,
                      struct roundtime *result);

#endif
