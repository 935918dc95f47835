/* One verification on one rank, for the files that it consists of: verify.c leads, and asks the others in their order.
 * All functions that may fail are collective, and fill `error`. */
#ifndef ORDO_CLUSTER_MPI_VERIFY_WORK_H
#define ORDO_CLUSTER_MPI_VERIFY_WORK_H

#include "cluster/mpi/verify_types.h"
#include "cluster/transport/mpi.h"
#include "machine/counter/counter.h"

struct ordo_verify_work {
    const struct ordo_verify_options *options;
    struct ordo_verify *verify;
    struct ordo_mpi_watch *watch;  /* whose communicator is the world */
    MPI_Comm world, node, leaders; /* leaders: MPI_COMM_NULL on the others */
    int rank, node_rank;
    struct ordo_node_plan plan;
    unsigned sweep_cpus[ORDO_CPUS];
    struct ordo_cpus cpus[2]; /* of all ranks, and those that ranks may migrate to */
    int64_t *wide_units;
    struct ordo_mpi_segment segment;
    struct ordo_verify_rank evidence;
    int node_trust; /* the worst class that a rank of the node found: some may read the kernel's log, others not */
};

/* verify_result.c: memory of the result. */

/** Never NULL for a count of 0. */
void *ordo_verify_array(size_t count, size_t bytes);

/** Room for a node of this size, with or without its pairs. */
int ordo_verify_node_alloc(struct ordo_verify_node *node, int clock_count, bool pairs, struct ordo_error *error);

/** NULL where memory runs out. */
struct ordo_verify *ordo_verify_alloc(int clock_count);

/** free, but nothing where a rank is lost: MPI may still write there. */
void ordo_verify_release(const struct ordo_verify_work *run, void *memory);

/* verify_tolerance.c: how well clocks have to agree. */

/** In ns, the same on all ranks. */
int ordo_verify_find_tolerance(struct ordo_verify_work *run, struct ordo_error *error);

/** The rate of the ticks since a first bracket: what the node's lowest rank finds, for all of it. */
int ordo_verify_find_rate(struct ordo_verify_work *run, const struct ordo_bracket *first, struct ordo_error *error);

/** What is too wide a visit, in units: for that the rate must be known roughly before. */
int ordo_verify_find_widths(struct ordo_verify_work *run, const struct ordo_bracket *first, struct ordo_error *error);

int64_t ordo_verify_tolerance_units(const struct ordo_verify_work *run, const struct ordo_clock_source *source);

/* verify_ranks.c: what the lowest rank of a node tells the others. */

/** Tells each rank of the node how well the clocks of its socket agree, and what it is itself off by. */
int ordo_verify_tell_ranks(struct ordo_verify_work *run, struct ordo_error *error);

/* verify_collect.c: what the lowest rank of all hears. */

int ordo_verify_send(const struct ordo_verify_work *run, int to, const void *bytes, size_t count,
                     struct ordo_error *error);
int ordo_verify_receive(const struct ordo_verify_work *run, int from, void *bytes, size_t count,
                        struct ordo_error *error);

/** Where each rank runs. */
int ordo_verify_tell_evidence(struct ordo_verify_work *run, struct ordo_error *error);

/** All nodes. Among the leaders. */
int ordo_verify_tell_nodes(struct ordo_verify_work *run, struct ordo_error *error);

#endif
