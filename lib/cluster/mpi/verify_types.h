/* The options and the result of a verification. */
#ifndef ORDO_CLUSTER_MPI_VERIFY_TYPES_H
#define ORDO_CLUSTER_MPI_VERIFY_TYPES_H

#include "cluster/mpi/evidence.h"
#include "cluster/verify/cpus.h"
#include "cluster/verify/verdict.h"

/** How much the lowest rank collects from the others. The pairs take memory there: per node and clock, the square of
 * the node's ranks. */
enum ordo_verify_detail {
    ORDO_VERIFY_KINDS, /* the worst verdict on each clock, which all ranks get */
    ORDO_VERIFY_NODES, /* also where each rank runs, and the verdicts of each node */
    ORDO_VERIFY_PAIRS  /* also every pair of a node's ranks, and of its CPUs */
};

struct ordo_verify_options {
    const struct ordo_node_clock *clocks; /* as this rank reads them; the same sources on all ranks */
    int clock_count;
    int important; /* wide visits are repeated for the first `important` clocks only; 0: for all */
    int rounds, exchanges;
    int64_t span_ns, visit_ns;
    enum ordo_verify_detail detail;
    int64_t deadline_ns;                 /* timeout for a rank that does not answer; 0: the usual one, negative: none */
    int64_t tolerance_ns;                /* 0: found by ordo_verify_find_tolerance */
    const struct ordo_cpus *cpus_before; /* that this rank could use at an earlier verification; NULL: none was made */
    void (*progress)(void *context, double share); /* called on the lowest rank; may be NULL */
    void *context;
};

/** A summary of all pairs of ranks and all pairs of CPUs, for one clock on one node. */
struct ordo_verify_summary {
    struct ordo_verdict_pair drifting, apart; /* a pair of ranks proved to drift, a pair of CPUs proved apart; a == b:
                                               * none */
    struct ordo_interval offset; /* the largest low and the smallest high of all pairs; low > high if pairs disagree */
    int in_sockets;              /* the ranks are of several sockets, and the ranks of each socket agree */
};

struct ordo_verify_node {
    int size, sweeps, pair_count;
    int cpus;   /* number of CPUs that its ranks together may use */
    int shared; /* all ranks shared a segment of memory */
    double tick_hz;
    int *ranks;                            /* in the communicator, ascending */
    struct ordo_verdict *verdicts;         /* per clock */
    struct ordo_verify_summary *summaries; /* per clock; this and the next two on the node's lowest rank only */
    struct ordo_verdict_pair *pairs;       /* per clock: pair_count */
    struct ordo_verdict_pair *swept;       /* per clock: sweeps */
};

struct ordo_verify {
    int clock_count;
    int64_t tolerance_ns;
    double seconds;
    int *kinds;                                 /* enum ordo_verdict_kind per clock: the worst of all nodes */
    int64_t *node_residual_ns;                  /* per clock, of the calling rank's node: -1 if not VALID */
    int64_t *socket_residual_ns;                /* per clock, of the ranks on its socket: -1 if these do not agree */
    int64_t *node_drift_ppb, *socket_drift_ppb; /* if the residual is not -1: no pair drifts faster */
    int64_t at_ns, end_ns; /* CLOCK_MONOTONIC_RAW before the first exchange, and after the last, on this rank */
    struct ordo_cpus cpus; /* that this rank can use; empty if unknown */
    bool same_cpus;        /* all ranks of this rank's node can use the same CPUs as at the earlier verification */

    /** Per clock: this rank against the lowest of its node. Unbounded if a rank of the node can migrate, because an
     * offset at another time is then one of other clocks; also if a clock ran backwards, because an offset then proves
     * nothing. */
    struct ordo_verdict_pair *lowest;
    struct ordo_verify_node own; /* of the calling rank's node */
    int rank_count, node_count;  /* from here on: on the lowest rank only, as the detail says, else 0 and NULL */
    struct ordo_verify_rank *ranks;
    struct ordo_verify_node *nodes; /* pair_count and sweeps are 0 if the caller did not want pairs */
};

void ordo_verify_free(struct ordo_verify *verify);

/** Converts `units` of the clock on a node to nanoseconds. Infinite if `units` is INT64_MIN or INT64_MAX. */
double ordo_verify_ns(const struct ordo_verify_node *node, const struct ordo_clock_source *source, int64_t units);

#endif
