/* The clocks of all ranks: for each clock, its fixes and the correction made from them. Rank 0 is the master: its clock
 * is the global clock. */
#ifndef ORDO_TRACE_CLOCKS_CLOCKS_H
#define ORDO_TRACE_CLOCKS_CLOCKS_H

#include "trace/clocks/unit.h"
#include "trace/method/method.h"

/** The proof that a rank's clock agrees with the clock that it shares. The verification began at at_ns of the rank's
 * clock and lasted for_ns. At some instant of the verification the two clocks differed by at most residual_ns, and over
 * some part of it they drifted by at most `drift` per ns on average. All zero: the two are declared to be one clock. A
 * residual of INFINITY: the proof is lost. */
struct ordo_apart {
    int64_t at_ns, for_ns;
    double residual_ns, drift;
};

struct ordo_clock {
    struct ordo_fixes fixes;
    struct ordo_correction correction;
    bool made;       /* there is a correction */
    bool has_shared; /* the rank reads the clock of the rank `shared` */
    int32_t shared;
    struct ordo_apart apart; /* valid if `has_shared` */
    struct ordo_unit unit;   /* infers the clock's step from the times of the rank's events */
    int64_t step_ns;         /* step of the clock's readings, as the rank's file states it; 0: not stated */
    uint64_t machine;        /* the kernel and the clock source, as the rank's file states them; 0: not stated */
    bool is_same;            /* the estimate is the master's clock: [S1] of clocks.c */
};

/* A file may name any rank, so ranks that no file names must cost no memory. The array is therefore mapped memory, in
 * which the kernel backs a page at its first write, and some kernels at its first read. A clock without fixes is all
 * 0. */
struct ordo_clocks {
    struct ordo_clock *of;
    bool *named; /* for each rank: a file names it. Other clocks must not be read: go from clock to clock by
                    ordo_clocks_next */
    int count;   /* there are clocks for the ranks 0 to count - 1 */
    int room;
    int64_t granule_ns; /* granule of all times; ORDO_GRANULE_OF_DIGITS: each rank has its own granule */
    struct ordo_declared declared;
};

/** Returns the lowest named rank above `rank`; `count` if there is none. */
static inline int32_t ordo_clocks_next(const struct ordo_clocks *clocks, int32_t rank)
{
    for (rank++; rank < clocks->count && !clocks->named[rank];)
        rank++;
    return rank;
}

/** Makes room for the clock of a rank, and sets the rank of its fixes. ORDO_E_SYSTEM: out of memory. */
int ordo_clocks_grow(struct ordo_clocks *clocks, int32_t rank, struct ordo_error *error);
void ordo_clocks_free(struct ordo_clocks *clocks);

/** Reads the exchanges of a sync file: CSV with the columns session, rank, send_ns, master_ns, receive_ns; one row for
 * each exchange.
 *
 * ORDO_E_MALFORMED: a row cannot be read; `error` names file and row.
 * ORDO_E_MISSING: the file has no exchange. */
int ordo_clocks_read(struct ordo_clocks *clocks, const char *path, struct ordo_error *error);

/** Makes the correction of every clock with fixes, and of the master's clock. The granule of a clock is declared, or
 * else inferred from the digits of its fixes. */
int ordo_clocks_make(struct ordo_clocks *clocks, const struct ordo_method *method, const struct ordo_declared *declared,
                     struct ordo_error *error);

/** Returns the curve of a rank, or of the clock that the rank shares; NULL if the clock is unknown. ordo_clocks_stamp
 * adds the distance to a shared clock. */
struct ordo_curve *ordo_clocks_curve(struct ordo_clocks *clocks, int32_t rank);

/** Notes an event's time, from which the granule of its rank is inferred. If the file states the step of the rank's
 * clock, notes `step_ns` instead. Ignores a rank that has no place in `clocks`.
 *
 * Note all times of a rank before the first of them is placed, because otherwise its bounds are computed with different
 * granules. A pipe is the exception: it can be read only once, so each of its times is noted just before it is
 * placed. */
static inline void ordo_clocks_note(struct ordo_clocks *clocks, int32_t rank, int64_t time_ns, int64_t step_ns)
{
    if (rank < 0 || rank >= clocks->count)
        return;
    clocks->named[rank] = true;
    if (step_ns == 0)
        ordo_unit_take(&clocks->of[rank].unit, time_ns);
    clocks->of[rank].step_ns = step_ns;
}

/** True if no further time of a rank can make its granule finer. */
static inline bool ordo_clocks_settled(const struct ordo_clocks *clocks, int32_t rank)
{
    return clocks->of[rank].step_ns > 0 || clocks->of[rank].unit.divisor_ns == 1;
}

/** Returns the granule of a rank's times: the declared granule, or else the granule inferred from the times noted so
 * far. The rank must have a place in `clocks`. */
int64_t ordo_clocks_granule(const struct ordo_clocks *clocks, int32_t rank);

/** Places a reading of a rank's clock in global time, by its curve, its granule and its distance from a shared clock. If
 * the rank has fixes too, they narrow the bounds of the shared clock. Returns false if the clock is unknown. */
bool ordo_clocks_stamp(struct ordo_clocks *clocks, int32_t rank, int64_t time_ns, struct ordo_event_stamp *stamp);

/** Returns the largest possible error of the rate of a rank's estimate, in ns per ns; 0 for the master. */
double ordo_clocks_rate_range(const struct ordo_clocks *clocks, int32_t rank);

/** A distance in ns that stands for infinity. */
#define ORDO_CLOCKS_APART INT64_C(1000000000000000000)

/** Returns by how many ns the bounds from a shared curve must be widened on either side when the rank's clock shows
 * time_ns.
 *
 * 0: the rank has a curve of its own, or its clock is declared to be the shared clock
 * ORDO_CLOCKS_APART or more: the proof is lost */
int64_t ordo_clocks_apart_ns(const struct ordo_clocks *clocks, int32_t rank, int64_t time_ns);

#endif
