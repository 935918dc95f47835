/* The methods of correcting a clock: the registry of this folder. A method is a pure function of a rank's fixes; it
 * sets the estimates of a curve. The certain bounds come from the band alone, for every method. */
#ifndef ORDO_TRACE_METHOD_METHOD_H
#define ORDO_TRACE_METHOD_METHOD_H

#include "trace/sync/band.h"

struct ordo_method_input {
    const struct ordo_fix *fixes; /* in the order of sessions, and by round trip within a session */
    int fix_count;
    const struct ordo_condensed *points; /* one for each session, at the instant of the session's knot in the band */
    const struct ordo_band *band;
    const struct ordo_likely *likely; /* in the order of times; NULL: none */
    int likely_count;
};

struct ordo_method {
    const char *name;  /* as on a command line */
    const char *title; /* one line for people */

    /** Sets the estimates of the pieces that ordo_band_curve has made. Between the first knot and the last knot, the
     * clock less the estimate must not run backwards. An estimate may be outside the bounds, because ordo_curve_at
     * moves it to the nearer bound. */
    int (*fit)(const struct ordo_method_input *input, struct ordo_curve *curve, struct ordo_error *error);
};

/** All methods, ending with NULL; generated from the files of this folder. */
extern const struct ordo_method *const ordo_methods[];

/** Returns the method of this name, or NULL. */
const struct ordo_method *ordo_method_find(const char *name);

/** The correction of a rank's clock. Free it by ordo_correction_free. */
struct ordo_correction {
    struct ordo_band band;
    struct ordo_curve curve;
    struct ordo_condensed *points;
    double rate;             /* rate of the offset at the end of the trace, per ns */
    double residual_ns;      /* root mean square of the distances between the kept fixes' middles and the estimate */
    double residual_most_ns; /* the largest of these distances */
    /* Half the largest width of the band between two knots, without the granule of an event. INFINITY: there is only
     * one knot. */
    double bound_ns;
};

/** Makes the correction, in all steps from the fixes to the curve. There must be at least one fix. */
int ordo_correction_make(struct ordo_correction *correction, const struct ordo_method *method, struct ordo_fixes *fixes,
                         const struct ordo_declared *declared, struct ordo_error *error);
void ordo_correction_free(struct ordo_correction *correction);

/** Sets the cubic of a piece from its values and slopes at both ends, `over_ns` apart (Hermite's form). */
void ordo_method_cubic(struct ordo_piece *piece, double from, double to, double slope_from, double slope_to,
                       double over_ns);

/** Sets the estimates of all pieces from the values and the slopes at the knots. The value at a knot is relative to the
 * knot's base_ns. Pieces between knots become cubics, and the pieces outside straight lines. */
void ordo_method_join(const struct ordo_band *band, const double *values, const double *slopes,
                      struct ordo_curve *curve);

#endif
