/* A model of one clock against another: what the difference probably is, and within what it certainly is.
 *
 * Sign everywhere: offset = client - reference; global = t - (offset + slope (t - ref)). Absolute times and offsets are
 * int64 nanoseconds. Slopes are doubles: they only ever multiply a distance from ref, below 2^53 ns (104 days) exact,
 * and a slope below 1e-3 then leaves less than a nanosecond of rounding in a century.
 *
 * What is certain rests on two assumptions, both declared by the caller: no clock steps, and two averages of one
 * clock's rate, over any two periods however short, differ by at most w(T) where both lie within a time T. w is
 * max_wander up to a minute, since an oscillator is steady while its temperature is; it grows evenly to late_wander at
 * an hour, and no further. Of two clocks one may speed up while the other slows down (ordo_model_declare). A check
 * finds steps, and clocks that wander more. */
#ifndef ORDO_CLUSTER_SYNC_MODEL_H
#define ORDO_CLUSTER_SYNC_MODEL_H

#include <stdbool.h>

#include <ordo/global.h>

#include "base/error.h"
#include "cluster/offset/estimator.h"

/** Flat, without pointers and padding: as it lies in memory it is a message between ranks of one architecture. Models
 * of models are merged at once, never nested, so nothing has to be flattened. All zero: nothing is known. */
struct ordo_model {
    int64_t known;           /* 0: every answer is infinitely uncertain */
    int64_t granule_ns;      /* of the client's readings */
    int64_t ref_ns;          /* the instant, on the client's clock, at which the next three hold */
    int64_t offset_ns;       /* estimate */
    int64_t low_ns, high_ns; /* certain: low <= offset <= high */
    double slope;            /* estimate of the offset's change per ns of the client's clock */
    double drift_min,
        drift_max; /* certain for averages over periods that were observed: some is at least, some at most */
    double wander, late_wander;   /* w within a minute, and from an hour on, of all clocks that drift has to do with */
    int64_t span_ns;              /* no observed period began longer before ref, or was longer */
    double slope_low, slope_high; /* 95% interval of the fitted slope, for people; of the last link where merged */
};

/** What a message of a contradiction begins with: empty, or for coarse clocks, of which nothing bounds how late their tick
 * comes in a virtual machine, that this is the likely cause. */
static inline const char *ordo_model_late(int64_t granule_ns)
{
    return granule_ns >= 1000000 ? "a coarse clock was later than its tick, or " : "";
}

/** Offsets' changes per ns. */
struct ordo_rates {
    double least, most;
};

/** One measurement of an offset: estimate, and proof (instants on the client's clock). */
struct ordo_fit_point {
    struct ordo_offset offset;
    struct ordo_visit visit;
};

struct ordo_fit_options {
    int64_t granule_ns;        /* the coarser of the two clocks' */
    int64_t client_granule_ns; /* the client's own */
    double max_wander_ppb;     /* of each of the two clocks, as declared, see above, */
    double late_wander_ppb;    /* where it is larger, from an hour on */
    double max_skew_ppb; /* no clock's own rate is farther from 1, so two drift apart at twice that: all that is known
                            after a single measurement */
    bool recompute_intercept; /* the last point gives the offset, the points before it the slope */
};

#define ORDO_WANDER_MINUTE_NS INT64_C(60000000000)
#define ORDO_WANDER_HOUR_NS INT64_C(3600000000000)

/** Declares by how much the drift of the two clocks of a model may change, where each of them wanders by at most so
 * much within a minute, and within any time, and none is farther from 1 than by max_skew. */
void ordo_model_declare(struct ordo_model *model, double max_wander_ppb, double late_wander_ppb, double max_skew_ppb);

/** Between which values the drift at ref certainly is, wander included: per ns of the client's clock. */
struct ordo_rates ordo_model_drift(const struct ordo_model *model);

/** The reference's model of itself, exact. */
struct ordo_model ordo_model_identity(int64_t granule_ns);

/** From points in order of time (at least 1; 2 with recompute_intercept) to a model whose ref is the last point's.
 *
 * The estimate is a least-squares line, or where the 95% interval of its slope contains 0 a constant. The proof is the
 * drift interval of ordo_offset_drift and all visits carried to ref with it; the estimate is kept inside the proof.
 * ORDO_E_MEASURE, and an unknown model, where the visits contradict each other or the declared wander. */
int ordo_model_fit(struct ordo_model *model, const struct ordo_fit_point *points, int count,
                   const struct ordo_fit_options *options, struct ordo_error *error);

/** client -> middle and middle -> reference give client -> reference, relative to the later of the two instants. */
struct ordo_model ordo_model_merge(const struct ordo_model *client, const struct ordo_model *middle);

/** A measurement of a client against the clock of `middle`, whose model is known, becomes one against the middle's own
 * reference, to within the same granule. */
struct ordo_fit_point ordo_model_relay(const struct ordo_model *middle, const struct ordo_fit_point *point,
                                       int64_t granule_ns);

/** Keeps the estimates inside the proof. ORDO_E_MEASURE, and the model is not known, where the proof is empty. */
int ordo_model_settle(struct ordo_model *model, struct ordo_error *error);

/** Cuts what is certain of the offset with one more direct measurement; the estimate goes on, inside it. ORDO_E_MEASURE
 * where they have nothing in common. */
int ordo_model_confine(struct ordo_model *model, const struct ordo_fit_point *point, int64_t granule_ns,
                       struct ordo_error *error);

/** The same, and puts the estimate of the offset, not the drift, on it. */
int ordo_model_adjust(struct ordo_model *model, const struct ordo_fit_point *point, int64_t granule_ns,
                      struct ordo_error *error);

/** Where the offset certainly is when the client's clock shows local_ns, which may be before ref. */
struct ordo_interval ordo_model_offset_at(const struct ordo_model *model, int64_t local_ns);

/** The reference's time when the client's clock was read as local_ns. */
struct ordo_global_time ordo_model_time(const struct ordo_model *model, int64_t local_ns);

#endif
