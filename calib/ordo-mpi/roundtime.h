/* Round-Time (Hunold and Carpen-Amarie, CLUSTER 2018, Algorithm 5): all ranks begin an operation at an agreed global
 * time, as often as fits into a time slice. A round in which a rank received the time too late does not count. */
#ifndef ORDO_MPI_ROUNDTIME_H
#define ORDO_MPI_ROUNDTIME_H

#include <stdbool.h>

#include "base/quantile.h"
#include "collective.h"
#include "session.h"

struct roundtime_plan {
    double slice_s, slack; /* seconds per operation; latencies of a broadcast until a round begins */
    int most_rounds;
    bool barrier; /* also by the usual scheme: a barrier, then the slowest rank's time of its own call */
};

struct roundtime {
    int valid, invalid;
    struct ordo_median run_ns;  /* from the agreed begin until the last rank has finished */
    struct ordo_median skew_ns; /* from the first rank's exit to the last's: the imbalance of a barrier */
    double least_ns, most_ns, most_skew_ns;
    int barrier_count;
    struct ordo_median barrier_ns; /* by the barrier scheme */
};

/** The accuracy of the global clock at one time; a smaller run time below shows nothing. On rank 0. */
struct roundtime_clock {
    int64_t bound_ns;                          /* proved: no rank's global time is further off */
    int rank;                                  /* the worst measured rank; -1: there is no other rank */
    int64_t measured_low_ns, measured_high_ns; /* offset of its global clock from rank 0's */
};

/** Measures the clock, collectively: at most 64 ranks, picked by `seed`. False if it is proved wrong. */
bool roundtime_look(struct mpi_session *session, uint64_t seed, struct roundtime_clock *clock);

/** Returns the latency of a broadcast, from the root's call to the last rank's exit, in ns: the median of some. */
double roundtime_broadcast_ns(struct mpi_session *session);

/** Measures one operation, collectively. The result is on rank 0. ORDO_E_SYSTEM: out of memory. */
int roundtime_measure(struct mpi_session *session, const struct roundtime_plan *plan, double broadcast_ns,
                      const struct mpi_collective *collective, const struct mpi_buffers *buffers,
                      struct roundtime *result);

#endif
