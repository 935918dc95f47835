/* Do the ranks of a node read the same clocks? Measures it between processes (or threads) that share a segment of
 * memory.
 *
 * Every pair exchanges readings of every clock over two cache lines, in rounds spread over time. A reading travels in
 * the line itself, so a rank that sees it reads its own clock later in true time, whatever the delay. This bounds the
 * offset on both sides without any assumption about the delay (offset/interval.h). A reading may lag its clock by the
 * granule, so the bounds are widened by the coarser granule of both clocks. */
#ifndef ORDO_CLUSTER_VERIFY_NODE_H
#define ORDO_CLUSTER_VERIFY_NODE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/visit.h"
#include "cluster/verify/node_clock.h"

/** The plan of a measurement; the same on all ranks, but for `rank` and the injected errors. */
struct ordo_node_plan {
    int rank, size;
    const struct ordo_node_clock *clocks;
    int clock_count;
    int rounds;                 /* at least 2, otherwise drift is unbounded */
    int64_t span_ns;            /* from the first round to the last */
    int exchanges;              /* per pair, clock and round */
    int64_t visit_ns;           /* a visit ends after this time, with fewer exchanges, but at least 10 */
    const unsigned *sweep_cpus; /* CPUs among which ranks may migrate; ranks 0 and 1 visit pairs of them, or a single
                                 * rank and a thread of it */
    int sweep_count;
    bool one_by_one;           /* pairs one after another, not concurrently: for more ranks than CPUs */
    const int64_t *wide_units; /* per clock: a visit with a delta above this is repeated, a few times; may be NULL */
    int64_t patience_ns;       /* a rank that keeps all others waiting for longer is given up; 0: 20 s */
    void (*progress)(void *context, double share);
    bool (*idle)(void *context); /* called about every 10 ms of waiting; false ends the measurement */
    void *context;               /* of both functions, which may be NULL */
};

/** Returns the bytes that the segment must have; it must be zero. */
size_t ordo_node_bytes(const struct ordo_node_plan *plan);

/** Collective: measures everything into `segment`. ORDO_E_MEASURE on all remaining ranks, if none of them made progress
 * for longer than the plan's patience: the text names the rank that showed no sign of life. The affinity of the calling
 * thread changes meanwhile. */
int ordo_node_measure(const struct ordo_node_plan *plan, void *segment, struct ordo_error *error);

/** Returns the largest granule of all ranks, in units of the clock. */
int64_t ordo_node_granule(const struct ordo_node_plan *plan, const void *segment, int clock);

/** Returns the visits of ranks a < b, one per round. */
const struct ordo_visit *ordo_node_visits(const struct ordo_node_plan *plan, const void *segment, int clock, int a,
                                          int b);

/** A visit by ranks 0 and 1 while they were bound to two of the CPUs. */
struct ordo_node_sweep {
    unsigned cpu_a, cpu_b;
    struct ordo_visit visit;
};

/** Returns the number of CPU pairs that are visited. */
int ordo_node_sweeps(const struct ordo_node_plan *plan);

/** True if a rank could not be bound to a CPU of the sweep, or its CPUs are unknown: the sweep then says nothing. */
bool ordo_node_unswept(const void *segment);

/** True if this rank may run on this CPU. */
bool ordo_node_runs_on(const struct ordo_node_plan *plan, const void *segment, int rank, unsigned cpu);

struct ordo_node_sweep ordo_node_sweep(const struct ordo_node_plan *plan, const void *segment, int clock, int index);

/** The worst steps that a rank saw: in the warp test, in which all ranks read the clock in turn as fast as they can;
 * and, of its own clock, in the visits. */
struct ordo_node_warp {
    int64_t least_step_units; /* its reading minus the previous one, which was made by `before` */
    int64_t back_units;       /* the largest step backwards of its own clock; 0: none */
    int before;
};

/** Returns, for the warp test alone, the least difference between a reading by `rank` and the previous reading, if
 * `before` made it. INT64_MAX: `rank` never read after `before`. */
int64_t ordo_node_step(const struct ordo_node_plan *plan, const void *segment, int clock, int rank, int before);

struct ordo_node_warp ordo_node_warp(const struct ordo_node_plan *plan, const void *segment, int clock, int rank);

#endif
