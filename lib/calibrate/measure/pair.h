/* One pair of CPUs on one cache line: the measurement that everything else is computed from. */
#ifndef ORDO_CALIBRATE_MEASURE_PAIR_H
#define ORDO_CALIBRATE_MEASURE_PAIR_H

#include <stdatomic.h>
#include <stdint.h>

#include "base/error.h"
#include "base/visit.h"

/** What one direction shares. A line of its own, and its neighbour: processors fetch lines in pairs. */
struct ordo_pair_line {
    _Alignas(128) _Atomic uint64_t clock; /* the writer's time; 0: not written yet */
    _Atomic uint64_t phase;               /* the run for which the reader is ready */
    _Atomic uint64_t claim;               /* written by the writer to own the line before it reads its clock */
};

/** The memory of one pair; zeroed before use. */
struct ordo_pair {
    struct ordo_pair_line ab, ba; /* written by a and read by b, and the other way */
    _Alignas(128) _Atomic int gave_up;
    uint64_t patience_ns;    /* how long a side waits for the other; 0: ten seconds */
    struct ordo_visit visit; /* the result */
    uint64_t runs_ab, runs_ba;
};

/** How many runs, and when to stop earlier: once the minimum has not moved for `settle` runs (0: never). */
struct ordo_pair_runs {
    uint64_t runs, settle;
};

/** The part of CPU a, and of CPU b, called at the same time by two threads that are pinned there. Both directions, one
 * after the other, each kept apart. ORDO_E_MEASURE if the other side makes no progress in the time of `patience_ns`. */
int ordo_pair_measure_a(struct ordo_pair *pair, struct ordo_pair_runs runs, struct ordo_error *error);
int ordo_pair_measure_b(struct ordo_pair *pair, struct ordo_pair_runs runs, struct ordo_error *error);

#endif
