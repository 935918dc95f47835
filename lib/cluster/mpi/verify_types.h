/* What a verification is asked for, and what it finds. */
#ifndef ORDO_CLUSTER_MPI_VERIFY_TYPES_H
#define ORDO_CLUSTER_MPI_VERIFY_TYPES_H

#include "cluster/mpi/evidence.h"
#include "cluster/verify/cpus.h"
#include "cluster/verify/verdict.h"

/** What the lowest rank hears of the others. It takes memory there: of pairs, per node and clock, the square of its
 * ranks. */
enum ordo_verify_detail {
    ORDO_VERIFY_KINDS, /* the worst verdict on each clock, as all ranks do */
    ORDO_VERIFY_NODES, /* where each rank runs, and each node's verdicts */
    ORDO_VERIFY_PAIRS  /* and every pair of its ranks, and of its CPUs */
};

struct ordo_verify_options {
    const struct ordo_node_clock *clocks; /* as this rank reads them; the same sources on all ranks */
    int clock_count;
    int important; /* of the first so many clocks wide visits are made again; 0: of all */
    int rounds, exchanges;
    int64_t span_ns, visit_ns;
    enum ordo_verify_detail detail;
    int64_t deadline_ns;                 /* for a rank that is waited for; 0: the usual one, negative: none */
    int64_t tolerance_ns;                /* 0: as a clock can be told and copied here (ordo_verify_find_tolerance) */
    const struct ordo_cpus *cpus_before; /* that this rank could use at an earlier verification; NULL: there is none */
    void (*progress)(void *context, double share); /* called on the lowest rank; may be NULL */
    void *context;
};

/** What there is to be said of all pairs of one clock on one node, of its ranks and of its CPUs. */
struct ordo_verify_summary {
    struct ordo_verdict_pair drifting, apart; /* a pair of ranks, and of CPUs, that is proved to; a == b: none is */
    struct ordo_interval offset; /* no pair's begins higher, no pair's ends lower: low > high where they disagree */
    int in_sockets;              /* the ranks are of several sockets, and those of each agree */
};

struct ordo_verify_node {
    int size, sweeps, pair_count;
    int cpus;   /* that its ranks may use, together */
    int shared; /* a segment of memory was common to all */
    double tick_hz;
    int *ranks;                            /* in the communicator, ascending */
    struct ordo_verdict *verdicts;         /* per clock */
    struct ordo_verify_summary *summaries; /* per clock; also the next two are on the node's lowest rank only */
    struct ordo_verdict_pair *pairs;       /* per clock: pair_count */
    struct ordo_verdict_pair *swept;       /* per clock: sweeps */
};

struct ordo_verify {
    int clock_count;
    int64_t tolerance_ns;
    double seconds;
    int *kinds;                  /* enum ordo_verdict_kind per clock: the worst of all nodes */
    int64_t *node_residual_ns;   /* per clock, of the calling rank's node: -1 where not VALID */
    int64_t *socket_residual_ns; /* per clock, of the ranks on its socket alone: -1 where these do not agree */
    int64_t *node_drift_ppb, *socket_drift_ppb; /* where these are not -1: none of the pairs drifts faster */
    int64_t at_ns, end_ns; /* CLOCK_MONOTONIC_RAW before the first exchange, and after the last, on this rank */
    struct ordo_cpus cpus; /* that this rank can use; none where they are not known */
    bool same_cpus;        /* all ranks of this rank's node can use those that they could before */

    /** Per clock: this rank against its node's lowest. Unbounded where a rank of the node can migrate, or a clock ran
     * backwards: then an offset at another time is of other clocks, or no proof. */
    struct ordo_verdict_pair *lowest;
    struct ordo_verify_node own; /* of the calling rank's node */
    int rank_count, node_count;  /* below: on the lowest rank only, as the detail says, else 0 and NULL */
    struct ordo_verify_rank *ranks;
    struct ordo_verify_node *nodes; /* without pairs, of which there then are 0, where they were not wanted */
};

void ordo_verify_free(struct ordo_verify *verify);

/** Nanoseconds of `units` of the clock on a node; infinite where units are INT64_MIN or INT64_MAX. */
double ordo_verify_ns(const struct ordo_verify_node *node, const struct ordo_clock_source *source, int64_t units);

#endif
