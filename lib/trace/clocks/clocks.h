/* The clocks of all ranks: what is known of each, and the correction that follows. Rank 0 is the master: its clock is the
 * global one. */
#ifndef ORDO_TRACE_CLOCKS_CLOCKS_H
#define ORDO_TRACE_CLOCKS_CLOCKS_H

#include "trace/clocks/unit.h"
#include "trace/method/method.h"

/** The proof that a rank's clock agrees with the one that it shares. The verification began at at_ns of the rank's
 * clock and lasted for_ns. At some instant in it the two differed by at most residual_ns, and over some part of it they
 * drifted by at most `drift` per ns on average. All zero: the two are declared to be one clock. A residual of INFINITY:
 * the proof is lost. */
struct ordo_apart {
    int64_t at_ns, for_ns;
    double residual_ns, drift;
};

struct ordo_clock {
    struct ordo_fixes fixes;
    struct ordo_correction correction;
    bool made;       /* there is a correction */
    bool has_shared; /* the clock is that of the rank `shared` */
    int32_t shared;
    struct ordo_apart apart; /* if `has_shared` */
    struct ordo_unit unit;   /* of its events' times */
    int64_t step_ns;         /* of its clock's readings, by the file of its events; 0: the file does not say */
};

/* A file may name any rank, so that ranks without a name in it must cost nothing: the array is memory of the system, which backs a
 * page at its first write, and a clock without fixes is all 0. */
struct ordo_clocks {
    struct ordo_clock *of;
    int count; /* ranks 0 to count - 1; those without fixes are unknown */
    int room;
    int64_t granule_ns; /* of all events' times; ORDO_GRANULE_OF_DIGITS: each rank's own */
    struct ordo_declared declared;
};

/** Makes room for a rank, and names it. ORDO_E_SYSTEM: out of memory. */
int ordo_clocks_grow(struct ordo_clocks *clocks, int32_t rank, struct ordo_error *error);
void ordo_clocks_free(struct ordo_clocks *clocks);

/** Reads the exchanges of a sync file: CSV with the columns session, rank, send_ns, master_ns, receive_ns, an exchange a
 * row. ORDO_E_MALFORMED with file and row; ORDO_E_MISSING where it has no exchange. */
int ordo_clocks_read(struct ordo_clocks *clocks, const char *path, struct ordo_error *error);

/** Corrects every clock with fixes, and the master's. The granule of the fixes is the declared one, or that of their
 * digits. */
int ordo_clocks_make(struct ordo_clocks *clocks, const struct ordo_method *method, const struct ordo_declared *declared,
                     struct ordo_error *error);

/** Returns the curve of a rank, or of the clock that the rank shares; NULL if the clock is unknown. ordo_clocks_stamp
 * adds the distance to a shared clock. */
struct ordo_curve *ordo_clocks_curve(struct ordo_clocks *clocks, int32_t rank);

/** Takes an event's time into the unit of its rank's times, unless the file names the step of its clock:
 * `step_ns`. Of a rank that has no place in `clocks` nothing is kept. All times are noted before the first one is placed, or
 * the bounds of a rank would have several granules; only of a pipe, which is read once, each is noted as it is placed. */
static inline void ordo_clocks_note(struct ordo_clocks *clocks, int32_t rank, int64_t time_ns, int64_t step_ns)
{
    if (rank < 0 || rank >= clocks->count)
        return;
    if (step_ns == 0)
        ordo_unit_take(&clocks->of[rank].unit, time_ns);
    clocks->of[rank].step_ns = step_ns;
}

/** True if no further time of a rank makes its granule finer. */
static inline bool ordo_clocks_settled(const struct ordo_clocks *clocks, int32_t rank)
{
    return clocks->of[rank].step_ns > 0 || clocks->of[rank].unit.divisor_ns == 1;
}

/** Returns the granule of the times of a rank that has a curve, as far as they were noted. */
int64_t ordo_clocks_granule(const struct ordo_clocks *clocks, int32_t rank);

/** Places a reading of a rank's clock in global time, by its curve, its granule and its distance from a shared clock. False if nothing is known of the
 * clock. */
bool ordo_clocks_stamp(struct ordo_clocks *clocks, int32_t rank, int64_t time_ns, struct ordo_event_stamp *stamp);

/** Returns by how much the rate of a rank's estimate may be off, per ns: 0 for the master. */
double ordo_clocks_rate_range(const struct ordo_clocks *clocks, int32_t rank);

/** As good as infinite, in ns. */
#define ORDO_CLOCKS_APART INT64_C(1000000000000000000)

/** Returns the ns to add to both bounds of a shared curve when the rank's clock shows time_ns: 0 for a rank with a
 * curve of its own; ORDO_CLOCKS_APART or more if the proof is lost. */
int64_t ordo_clocks_apart_ns(const struct ordo_clocks *clocks, int32_t rank, int64_t time_ns);

#endif
