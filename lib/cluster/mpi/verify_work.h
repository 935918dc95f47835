/* The state of one verification on one rank, and the functions of the files that verify.c calls. All functions that may
 * fail are collective, and fill `error`. */
#ifndef ORDO_CLUSTER_MPI_VERIFY_WORK_H
#define ORDO_CLUSTER_MPI_VERIFY_WORK_H

#include "cluster/mpi/verify_types.h"
#include "cluster/transport/mpi.h"
#include "machine/counter/counter.h"

struct ordo_verify_work {
    const struct ordo_verify_options *options;
    struct ordo_verify *verify;
    struct ordo_mpi_watch *watch;  /* owns the communicator `world` */
    MPI_Comm world, node, leaders; /* leaders: the lowest ranks of all nodes; MPI_COMM_NULL on other ranks */
    int rank, node_rank;
    struct ordo_node_plan plan;
    unsigned sweep_cpus[ORDO_CPUS];
    struct ordo_cpus cpus[2]; /* [0]: CPUs of all ranks; [1]: CPUs that ranks may migrate to */
    int64_t *wide_units;
    struct ordo_mpi_segment segment;
    struct ordo_bracket first; /* the tick rate is measured from here, on the CPU first_cpu */
    int first_cpu;
    struct ordo_verify_rank evidence;
    int node_trust; /* worst class found by a rank of the node; not all ranks may read the kernel's log */
};

/* verify_result.c: allocates the result. */

/** Returns zeroed memory, also for a count of 0. NULL: out of memory. */
void *ordo_verify_array(size_t count, size_t bytes);

/** Allocates the arrays of a node of this size. Without `pairs`, sets the numbers of pairs to 0. */
int ordo_verify_node_alloc(struct ordo_verify_node *node, int clock_count, bool pairs, struct ordo_error *error);

/** Allocates a result. NULL if out of memory. */
struct ordo_verify *ordo_verify_alloc(int clock_count);

/** Frees `memory`. Does nothing if a rank is lost, because MPI may still write there. */
void ordo_verify_release(const struct ordo_verify_work *run, void *memory);

/* verify_tolerance.c: finds the tolerated difference between two clocks. */

/** Finds the tolerance in ns, the same on all ranks. */
int ordo_verify_find_tolerance(struct ordo_verify_work *run, struct ordo_error *error);

/** Begins to measure the tick rate. A rate needs two readings on one CPU, because two CPUs may disagree by any amount. */
void ordo_verify_begin_rate(struct ordo_verify_work *run);

/** Finds the mean tick rate from ordo_verify_begin_rate until now. All ranks of a node use the rate that its lowest rank
 * measured. */
int ordo_verify_find_rate(struct ordo_verify_work *run, struct ordo_error *error);

/** Finds for each clock the width, in units, above which a visit (verify/node.h) is repeated. First measures the tick
 * rate roughly, because a width in ticks depends on the rate. */
int ordo_verify_find_widths(struct ordo_verify_work *run, struct ordo_error *error);

int64_t ordo_verify_tolerance_units(const struct ordo_verify_work *run, const struct ordo_clock_source *source);

/* verify_ranks.c: the leader of a node sends findings to the other ranks of the node. */

/** Sends each rank of the node the bounds that hold on the rank's socket, and its offset against the leader. */
int ordo_verify_tell_ranks(struct ordo_verify_work *run, struct ordo_error *error);

/* verify_collect.c: rank 0 collects the findings of all nodes. */

int ordo_verify_send(const struct ordo_verify_work *run, int to, const void *bytes, size_t count,
                     struct ordo_error *error);
int ordo_verify_receive(const struct ordo_verify_work *run, int from, void *bytes, size_t count,
                        struct ordo_error *error);

/** Collects the evidence of all ranks. */
int ordo_verify_tell_evidence(struct ordo_verify_work *run, struct ordo_error *error);

/** Collects the findings of all nodes. Call on the leaders. */
int ordo_verify_tell_nodes(struct ordo_verify_work *run, struct ordo_error *error);

#endif
