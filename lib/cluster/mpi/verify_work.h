/* One verification on one rank, shared by the files that implement it: verify.c calls the others in their order. All
 * functions that may fail are collective, and fill `error`. */
#ifndef ORDO_CLUSTER_MPI_VERIFY_WORK_H
#define ORDO_CLUSTER_MPI_VERIFY_WORK_H

#include "cluster/mpi/verify_types.h"
#include "cluster/transport/mpi.h"
#include "machine/counter/counter.h"

struct ordo_verify_work {
    const struct ordo_verify_options *options;
    struct ordo_verify *verify;
    struct ordo_mpi_watch *watch;  /* its communicator is the world */
    MPI_Comm world, node, leaders; /* leaders: MPI_COMM_NULL on other ranks */
    int rank, node_rank;
    struct ordo_node_plan plan;
    unsigned sweep_cpus[ORDO_CPUS];
    struct ordo_cpus cpus[2]; /* CPUs of all ranks; CPUs that ranks may migrate to */
    int64_t *wide_units;
    struct ordo_mpi_segment segment;
    struct ordo_verify_rank evidence;
    int node_trust; /* the worst class that a rank of the node found: only some may read the kernel's log */
};

/* verify_result.c: allocates the result. */

/** Returns zeroed memory. Never NULL for a count of 0. */
void *ordo_verify_array(size_t count, size_t bytes);

/** Allocates a node of this size, with or without its pairs. */
int ordo_verify_node_alloc(struct ordo_verify_node *node, int clock_count, bool pairs, struct ordo_error *error);

/** NULL if out of memory. */
struct ordo_verify *ordo_verify_alloc(int clock_count);

/** Frees `memory`, unless a rank is lost: MPI may still write there. */
void ordo_verify_release(const struct ordo_verify_work *run, void *memory);

/* verify_tolerance.c: finds how well clocks have to agree. */

/** Finds the tolerance in ns, the same on all ranks. */
int ordo_verify_find_tolerance(struct ordo_verify_work *run, struct ordo_error *error);

/** Finds the rate of the ticks from `first` until now. The lowest rank of the node measures it for all ranks of the
 * node. */
int ordo_verify_find_rate(struct ordo_verify_work *run, const struct ordo_bracket *first, struct ordo_error *error);

/** Finds for each clock the width, in units, above which a visit is repeated. Measures the rate roughly first, because
 * a width in ticks depends on it. */
int ordo_verify_find_widths(struct ordo_verify_work *run, const struct ordo_bracket *first, struct ordo_error *error);

int64_t ordo_verify_tolerance_units(const struct ordo_verify_work *run, const struct ordo_clock_source *source);

/* verify_ranks.c: the lowest rank of a node sends its findings to the others. */

/** Sends each rank of the node the bounds of the clocks on its socket, and its own offset. */
int ordo_verify_tell_ranks(struct ordo_verify_work *run, struct ordo_error *error);

/* verify_collect.c: the lowest rank of all collects the findings. */

int ordo_verify_send(const struct ordo_verify_work *run, int to, const void *bytes, size_t count,
                     struct ordo_error *error);
int ordo_verify_receive(const struct ordo_verify_work *run, int from, void *bytes, size_t count,
                        struct ordo_error *error);

/** Collects where each rank runs. */
int ordo_verify_tell_evidence(struct ordo_verify_work *run, struct ordo_error *error);

/** Collects the findings of all nodes. Call on the leaders. */
int ordo_verify_tell_nodes(struct ordo_verify_work *run, struct ordo_error *error);

#endif
