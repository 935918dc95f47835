/* Do the ranks of a node read the same clocks? Measures it between processes (or threads) that share a segment of
 * memory.
 *
 * Every pair exchanges readings of every clock over two cache lines, in rounds spread over time. A reading travels in
 * the line itself, so a rank that sees it reads its own clock later in true time, whatever the delay: that bounds the
 * offset on both sides without assuming anything of the delay (offset/interval.h). A reading may lag its clock by the
 * granule, and the bounds are widened by the coarser of both. */
#ifndef ORDO_CLUSTER_VERIFY_NODE_H
#define ORDO_CLUSTER_VERIFY_NODE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/visit.h"
#include "cluster/verify/node_clock.h"

/** What is measured; the same on all ranks, but for `rank` and the errors injected. */
struct ordo_node_plan {
    int rank, size;
    const struct ordo_node_clock *clocks;
    int clock_count;
    int rounds;                 /* at least 2, or drift stays unbounded */
    int64_t span_ns;            /* from the first round to the last */
    int exchanges;              /* per pair, clock and round */
    int64_t visit_ns;           /* a visit ends after this time, with fewer exchanges, 10 at least */
    const unsigned *sweep_cpus; /* CPUs among which ranks may migrate; ranks 0 and 1 visit pairs of them, a rank that is
                                   alone with a thread */
    int sweep_count;
    bool one_by_one;           /* pairs in turn, not side by side: for more ranks than CPUs */
    const int64_t *wide_units; /* per clock: a visit with a delta above this is made again, a few times; may be NULL */
    int64_t patience_ns;       /* a rank that keeps all others waiting for longer is given up; 0: 20 s */
    void (*progress)(void *context, double share);
    bool (*idle)(void *context); /* called every 10 ms or so of waiting, and ends it all where it returns false */
    void *context;               /* of both, which may be NULL */
};

/** Bytes that the segment must have; it must be zero. */
size_t ordo_node_bytes(const struct ordo_node_plan *plan);

/** Collective: measures everything into `segment`. ORDO_E_MEASURE on all ranks that are still there, where none got on
 * for longer than the plan's patience: the text names the rank that gave no sign of life. The affinity of the calling
 * thread changes meanwhile. */
int ordo_node_measure(const struct ordo_node_plan *plan, void *segment, struct ordo_error *error);

/** Largest granule of all ranks, in units of the clock. */
int64_t ordo_node_granule(const struct ordo_node_plan *plan, const void *segment, int clock);

/** The visits of ranks a < b, one per round. */
const struct ordo_visit *ordo_node_visits(const struct ordo_node_plan *plan, const void *segment, int clock, int a,
                                          int b);

/** A visit by ranks 0 and 1 while they were bound to two of the CPUs. */
struct ordo_node_sweep {
    unsigned cpu_a, cpu_b;
    struct ordo_visit visit;
};

/** How many CPU pairs are visited. */
int ordo_node_sweeps(const struct ordo_node_plan *plan);

/** Whether a rank could not be bound to a CPU of the sweep, which then says nothing, or its CPUs are not known. */
bool ordo_node_unswept(const void *segment);

/** Whether this rank may run on this CPU. */
bool ordo_node_runs_on(const struct ordo_node_plan *plan, const void *segment, int rank, unsigned cpu);

struct ordo_node_sweep ordo_node_sweep(const struct ordo_node_plan *plan, const void *segment, int clock, int index);

/** The worst that rank saw in the warp test, in which all ranks read the clock in turn as fast as they can; and in the
 * visits, of its own clock. */
struct ordo_node_warp {
    int64_t least_step_units; /* its reading minus the one before, which came from `before` */
    int64_t back_units;       /* by how much its own clock ran backwards; 0: it did not */
    int before;
};

/** Of that test alone: the least that rank read after a reading by `before`, less this one; INT64_MAX where it never
 * came after it. */
int64_t ordo_node_step(const struct ordo_node_plan *plan, const void *segment, int clock, int rank, int before);

struct ordo_node_warp ordo_node_warp(const struct ordo_node_plan *plan, const void *segment, int clock, int rank);

#endif
