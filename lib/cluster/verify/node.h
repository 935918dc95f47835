/* Measures whether the ranks of a node read the same clocks. The ranks are processes or threads that share a segment of
 * memory.
 *
 * - visit: a pair of ranks exchanges readings of one clock over two cache lines. A rank that sees a reading in the line
 *   reads its own clock later in true time, whatever the delay of the line. So a visit bounds the offset on both sides,
 *   without assumptions about the delay (offset/interval.h). A reading may lag its clock by the granule, so the bounds
 *   are widened by the larger granule of the two clocks.
 * - round: every pair of ranks makes a visit for every clock. Rounds are spread over time, to measure drift.
 * - match: a pair of ranks in the schedule of a round.
 * - sweep: ranks 0 and 1 move from CPU to CPU, and make a visit for each pair of CPUs that ranks may migrate to.
 * - wide visit: its bounds are wider than the plan wants, usually because the machine was busy. It is repeated.
 * - warp test: all ranks read a clock in turn, as fast as they can. No reading may be below the reading before it. */
#ifndef ORDO_CLUSTER_VERIFY_NODE_H
#define ORDO_CLUSTER_VERIFY_NODE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/visit.h"
#include "cluster/verify/node_clock.h"

/** The plan of a measurement. It must be the same on all ranks, except `rank` and the injected errors of clocks. */
struct ordo_node_plan {
    int rank, size;
    const struct ordo_node_clock *clocks;
    int clock_count;
    int rounds;                 /* number of rounds, at least 2: a single round does not bound drift */
    int64_t span_ns;            /* time from the first round to the last */
    int exchanges;              /* number of exchanges in a visit */
    int64_t visit_ns;           /* a visit that lasts longer ends early, after at least 10 exchanges */
    const unsigned *sweep_cpus; /* CPUs that ranks may migrate to. Ranks 0 and 1 sweep them; a rank that is alone on its
                                 * node does this with a thread */
    int sweep_count;
    bool one_by_one;           /* true: pairs measure one after another; for more ranks than CPUs */
    const int64_t *wide_units; /* per clock: a visit with a delta above this is wide; NULL: no visit is */
    int64_t patience_ns;       /* the measurement is given up after this time without progress; 0: 20 s */
    void (*progress)(void *context, double share);
    bool (*idle)(void *context); /* called about every 10 ms of waiting; false ends the measurement */
    void *context;               /* argument of `progress` and `idle`; both functions may be NULL */
};

/** Returns the size of the segment, in bytes. The caller must fill the segment with 0. */
size_t ordo_node_bytes(const struct ordo_node_plan *plan);

/** Collective: measures, and writes the results into `segment`. Changes the affinity of the calling thread, and
 * restores it at the end. ORDO_E_MEASURE, on all living ranks: no rank made progress for patience_ns; the text names
 * the rank that showed no sign of life, if there is one. */
int ordo_node_measure(const struct ordo_node_plan *plan, void *segment, struct ordo_error *error);

/** Returns the largest granule of all ranks, in units of the clock. */
int64_t ordo_node_granule(const struct ordo_node_plan *plan, const void *segment, int clock);

/** Returns the visits of the pair of ranks a < b for a clock: an array with one visit per round. */
const struct ordo_visit *ordo_node_visits(const struct ordo_node_plan *plan, const void *segment, int clock, int a,
                                          int b);

/** A visit of a sweep: rank 0 was bound to cpu_a, and rank 1 to cpu_b. */
struct ordo_node_sweep {
    unsigned cpu_a, cpu_b;
    struct ordo_visit visit;
};

/** Returns the number of pairs of CPUs that the sweep visits. */
int ordo_node_sweeps(const struct ordo_node_plan *plan);

/** True if a rank could not be bound to a CPU of the sweep, or if its CPUs are unknown. The sweep then proves
 * nothing. */
bool ordo_node_unswept(const void *segment);

/** True if `rank` may run on `cpu`. */
bool ordo_node_runs_on(const struct ordo_node_plan *plan, const void *segment, int rank, unsigned cpu);

struct ordo_node_sweep ordo_node_sweep(const struct ordo_node_plan *plan, const void *segment, int clock, int index);

/** The worst steps of a clock that a rank saw. */
struct ordo_node_warp {
    int64_t
        least_step_units; /* warp test: least difference of its reading to the previous one, made by rank `before` */
    int64_t back_units;   /* largest step backwards between two of its own readings; 0: none */
    int before;
};

/** Returns the least step in the warp test from a reading by the rank `before` to the next reading, if `rank` made it.
 * INT64_MAX: `rank` never read directly after `before`. */
int64_t ordo_node_step(const struct ordo_node_plan *plan, const void *segment, int clock, int rank, int before);

struct ordo_node_warp ordo_node_warp(const struct ordo_node_plan *plan, const void *segment, int clock, int rank);

#endif
