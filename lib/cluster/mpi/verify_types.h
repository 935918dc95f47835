/* The options and the result of a verification. */
#ifndef ORDO_CLUSTER_MPI_VERIFY_TYPES_H
#define ORDO_CLUSTER_MPI_VERIFY_TYPES_H

#include "base/cpus.h"
#include "cluster/mpi/evidence.h"
#include "cluster/verify/verdict.h"

/** The findings that rank 0 collects from the nodes. Pairs take much memory on rank 0: for each node and clock, it is
 * proportional to the square of the number of ranks on the node. */
enum ordo_verify_detail {
    ORDO_VERIFY_KINDS, /* only the worst kind of verdict on each clock, which all ranks get */
    ORDO_VERIFY_NODES, /* also the evidence of each rank, and the verdicts of each node */
    ORDO_VERIFY_PAIRS  /* also every pair of ranks, and of CPUs, of each node */
};

struct ordo_verify_options {
    const struct ordo_node_clock
        *clocks; /* the clocks as this rank reads them; the sources are the same on all ranks */
    int clock_count;
    int important; /* wide visits are repeated for the first `important` clocks only; 0: for all */
    int rounds, exchanges;
    int64_t span_ns, visit_ns;
    enum ordo_verify_detail detail;
    int64_t deadline_ns;                 /* timeout for a silent rank; 0: ORDO_MPI_DEADLINE_NS, negative: none */
    int64_t tolerance_ns;                /* 0: found by ordo_verify_find_tolerance */
    const struct ordo_cpus *cpus_before; /* CPUs of this rank at the earlier verification; NULL: there was none */
    void (*progress)(void *context, double share); /* called on rank 0; may be NULL */
    void *context;
};

/** A summary of all pairs of ranks and all pairs of CPUs, for one clock on one node. */
struct ordo_verify_summary {
    struct ordo_verdict_pair drifting, apart; /* drifting: two ranks whose clocks are proved to drift; apart: two CPUs
                                               * whose clocks are proved to differ; a == b: there is none */
    struct ordo_interval
        offset;     /* largest low and smallest high of all pairs; low > high: the pairs contradict each other */
    int in_sockets; /* true if the ranks are on several sockets, and the ranks of each socket agree */
};

struct ordo_verify_node {
    int size, sweeps, pair_count;
    int cpus;   /* number of CPUs that at least one of its ranks may use */
    int shared; /* true if all its ranks shared a segment of memory */
    double tick_hz;
    int *ranks;                            /* ranks in the communicator, ascending */
    struct ordo_verdict *verdicts;         /* one per clock */
    struct ordo_verify_summary *summaries; /* one per clock; `summaries`, `pairs` and `swept` only on the leader */
    struct ordo_verdict_pair *pairs;       /* `pair_count` per clock: pairs of ranks */
    struct ordo_verdict_pair *swept;       /* `sweeps` per clock: pairs of CPUs */
};

struct ordo_verify {
    int clock_count;
    int64_t tolerance_ns;
    double seconds;
    int *kinds;                  /* per clock: the worst enum ordo_verdict_kind of all nodes */
    int64_t *node_residual_ns;   /* per clock: residual of the calling rank's node; -1 if not VALID */
    int64_t *socket_residual_ns; /* per clock: residual of the calling rank's socket; -1 if its ranks do not agree */
    int64_t *node_drift_ppb, *socket_drift_ppb; /* bounds on the drift of any two ranks, if the residual is not -1 */
    int64_t at_ns, end_ns; /* CLOCK_MONOTONIC_RAW before the first exchange, and after the last, on this rank */
    struct ordo_cpus cpus; /* CPUs that this rank may use; empty if unknown */
    bool same_cpus;        /* every rank of this node may use the CPUs that it could use at the earlier verification */

    /** Per clock: the pair of this rank and the lowest rank of its node. Its bounds are infinite if
     * - a rank of the node may migrate, because a later offset would be between other clocks;
     * - a clock ran backwards, because offsets then prove nothing;
     * - nothing was measured. */
    struct ordo_verdict_pair *lowest;
    struct ordo_verify_node own; /* findings of the calling rank's node */
    int rank_count, node_count; /* these and the arrays below: 0 and NULL, except on rank 0 if `detail` asks for them */
    struct ordo_verify_rank *ranks;
    struct ordo_verify_node *nodes; /* pair_count and sweeps are 0 if the caller did not want pairs */
};

void ordo_verify_free(struct ordo_verify *verify);

/** Converts `units` of a clock on this node to nanoseconds. INT64_MIN and INT64_MAX become -infinity and infinity. */
double ordo_verify_ns(const struct ordo_verify_node *node, const struct ordo_clock_source *source, int64_t units);

#endif
