/* Within what the offset of a clock certainly is, at every instant: the proof that all methods share.
 *
 * It rests on two assumptions, both declared by the caller: no clock steps; and within any minute the rate of a clock, over
 * whatever periods it is averaged, changes by at most max_wander_ppb (within a longer time by so much more as it is longer).
 * What contradicts them is refused, with the rank and the time. */
#ifndef ORDO_TRACE_SYNC_BAND_H
#define ORDO_TRACE_SYNC_BAND_H

#include "trace/curve/curve.h"
#include "trace/sync/fix.h"

struct ordo_declared {
    double max_wander_ppb; /* of each clock */
    double max_skew_ppb;   /* no clock's rate is farther from 1 */
    int64_t granule_ns;    /* of the clock's readings; or ORDO_GRANULE_OF_DIGITS, which no band takes */
    double master_ns;      /* the granule of the master's readings; 0 if the bounds hold it already */
};

/* The granule is told by the digits of the times, of each rank for itself (trace/clocks/unit.h). */
enum { ORDO_GRANULE_OF_DIGITS = -1 };

struct ordo_declared ordo_declared_defaults(void);

/** Returns by how much a high bound of the offset is too low at most, because the clock had gone on since it was read. */
double ordo_declared_granule(const struct ordo_declared *declared);

/** Returns the most, in ns, by which the offset of two clocks changes in age_ns, counted from some instant of a period
 * of span_ns, if they drifted by at most `drift` per ns on average over some part of that period. */
double ordo_declared_change(const struct ordo_declared *declared, double drift, double span_ns, double age_ns);

/** Returns the most ns of global time that pass in one ns of a clock. */
double ordo_declared_pace(const struct ordo_declared *declared);

/** A session as one instant: the offset is in [low, high] at at_ns. */
struct ordo_knot {
    int64_t session, at_ns;
    double low_ns, high_ns; /* to be added to base_ns; no two knots ask for a rate that is not certain */
    int64_t base_ns;
    double least, most; /* rates, certain for the session and up to the next one; per ns */
    bool odd;           /* they contradict those up to the one before */
};

struct ordo_band {
    int32_t rank;
    struct ordo_knot *knots;
    int count;
    struct ordo_declared declared;
};

/** Returns the largest rate between two clocks of the declared skew, per ns. */
double ordo_band_limit(const struct ordo_declared *declared);

/** From fixes in the order of sessions, at least one, and the sessions as points, whose instants the knots have.
 * ORDO_E_MEASURE where they contradict the assumptions. */
int ordo_band_make(struct ordo_band *band, const struct ordo_fixes *fixes, const struct ordo_condensed *points,
                   const struct ordo_declared *declared, struct ordo_error *error);
void ordo_band_free(struct ordo_band *band);

/** Returns by how much a rate within the bounds of a piece may be off the true one at most, per ns; 0 without knots. */
double ordo_band_rate_range(const struct ordo_band *band);

/** By how much rates may differ between knot i and the next: per ns. */
double ordo_band_wander(const struct ordo_band *band, int i);

/** The pieces of a curve with these bounds: one before the first knot, one from each knot on. The estimates are 0. */
int ordo_band_curve(const struct ordo_band *band, struct ordo_curve *curve, struct ordo_error *error);

#endif
