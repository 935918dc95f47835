/* The band: bounds that certainly contain the offset of a clock, at every instant. All methods share this proof.
 *
 * The proof rests on two assumptions, both declared by the caller: no clock steps; and within any minute any two
 * average rates of a clock, over periods of any length, differ by at most max_wander_ppb (within a longer time the
 * limit grows in proportion). Fixes that contradict the assumptions are refused, with the rank and the time. */
#ifndef ORDO_TRACE_SYNC_BAND_H
#define ORDO_TRACE_SYNC_BAND_H

#include "trace/curve/curve.h"
#include "trace/sync/fix.h"

struct ordo_declared {
    double max_wander_ppb; /* largest wander of each clock */
    double max_skew_ppb;   /* the largest |rate - 1| of any clock */
    int64_t granule_ns;    /* granule of the clock's readings; or ORDO_GRANULE_OF_DIGITS, which no band accepts */
    double master_ns;      /* the granule of the master's readings; 0 if the bounds already include it */
};

/* The granule of each rank is inferred from the digits of its own times (trace/clocks/unit.h). */
enum { ORDO_GRANULE_OF_DIGITS = -1 };

struct ordo_declared ordo_declared_defaults(void);

/** Returns by how many ns a high bound of the offset can be too low at most, because a reading can be a granule less
 * than the clock's exact value ([B7] of sync/band.c). */
double ordo_declared_granule(const struct ordo_declared *declared);

/** Returns the largest change, in ns, of the offset of two clocks in age_ns from some instant of a period of span_ns.
 * Over some part of that period the clocks drifted by at most `drift` per ns on average. */
double ordo_declared_change(const struct ordo_declared *declared, double drift, double span_ns, double age_ns);

/** Returns the most ns of global time that pass in one ns of a clock. */
double ordo_declared_pace(const struct ordo_declared *declared);

/** A session as one instant: the offset is in [low, high] at at_ns. */
struct ordo_knot {
    int64_t session, at_ns;
    double low_ns, high_ns; /* relative to base_ns; from knot to knot they change within the certain rates [B5] */
    int64_t base_ns;
    double least, most; /* certain bounds of the rates from this session to the end of the next, per ns */
    bool odd;           /* these bounds contradict those of the preceding knot */
};

struct ordo_band {
    int32_t rank;
    struct ordo_knot *knots;
    int count;
    struct ordo_declared declared;
};

/** Returns the largest rate between two clocks of the declared skew, per ns. */
double ordo_band_limit(const struct ordo_declared *declared);

/** Makes the band from at least one fix. The fixes are in the order of sessions. `points` has one point for each
 * session; the session's knot is at the same instant.
 *
 * ORDO_E_MEASURE: the fixes contradict the assumptions. */
int ordo_band_make(struct ordo_band *band, const struct ordo_fixes *fixes, const struct ordo_condensed *points,
                   const struct ordo_declared *declared, struct ordo_error *error);
void ordo_band_free(struct ordo_band *band);

/** Returns the largest possible difference between the true rate and a rate within the bounds of a piece, per ns; 0 if
 * there are no knots. */
double ordo_band_rate_range(const struct ordo_band *band);

/** Returns by how much rates between knot i and the next may differ, per ns. */
double ordo_band_wander(const struct ordo_band *band, int i);

/** Makes the pieces of a curve with the bounds of the band: one before the first knot, and one from each knot on. The
 * estimates are 0. */
int ordo_band_curve(const struct ordo_band *band, struct ordo_curve *curve, struct ordo_error *error);

#endif
