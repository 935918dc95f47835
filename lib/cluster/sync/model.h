/* A model of one clock against another: an estimate of the difference, and certain bounds on it.
 *
 * Sign everywhere: offset = client - reference; global = t - (offset + slope (t - ref)). Absolute times and offsets are
 * int64 nanoseconds. Slopes are doubles: they only ever multiply a distance from ref. A distance below 2^53 ns (104
 * days) is exact, and a slope below 1e-3 then leaves less than a nanosecond of rounding in a century.
 *
 * The certain bounds rest on two assumptions, both declared by the caller: no clock steps, and two averages of one
 * clock's rate, over any two periods however short, differ by at most w(T) if both are within a time T. w is max_wander
 * up to a minute, because an oscillator is steady while its temperature is; it grows evenly to late_wander at an hour,
 * and no further. Of two clocks, one may speed up while the other slows down (ordo_model_declare). A check finds steps,
 * and clocks that wander more. */
#ifndef ORDO_CLUSTER_SYNC_MODEL_H
#define ORDO_CLUSTER_SYNC_MODEL_H

#include <stdbool.h>

#include <ordo/global.h>

#include "base/error.h"
#include "cluster/offset/estimator.h"

/** Flat, without pointers and padding: the bytes in memory are a message between ranks of one architecture. Models of
 * models are merged at once, never nested, so nothing has to be flattened. All zero: unknown. */
struct ordo_model {
    int64_t known;           /* 0: every answer is infinitely uncertain */
    int64_t granule_ns;      /* of the client's readings */
    int64_t ref_ns;          /* the instant, on the client's clock, for which the next three hold */
    int64_t offset_ns;       /* estimate */
    int64_t low_ns, high_ns; /* certain: low <= offset <= high */
    double slope;            /* estimate of the offset's change per ns of the client's clock */
    double drift_min,
        drift_max; /* certain: of the averages over observed periods, one is at least min, one at most max */
    double wander, late_wander;   /* w within a minute, and from an hour on, of all clocks that contribute to the
                                   * drift */
    int64_t span_ns;              /* no observed period began longer before ref, or was longer */
    double slope_low, slope_high; /* 95% interval of the fitted slope, for people; of the last link if merged */
};

/** Returns the begin of a message about a contradiction. Empty, but for coarse clocks it names the likely cause:
 * nothing bounds how late their tick comes in a virtual machine. */
static inline const char *ordo_model_late(int64_t granule_ns)
{
    return granule_ns >= 1000000 ? "a coarse clock was later than its tick, or " : "";
}

/** Changes of an offset per ns. */
struct ordo_rates {
    double least, most;
};

/** One measurement of an offset: an estimate and a proof (instants on the client's clock). */
struct ordo_fit_point {
    struct ordo_offset offset;
    struct ordo_visit visit;
};

struct ordo_fit_options {
    int64_t granule_ns;        /* of the coarser of the two clocks */
    int64_t client_granule_ns; /* the client's own */
    double max_wander_ppb;     /* of each of the two clocks, as declared (see above), within a minute */
    double late_wander_ppb;    /* from an hour on, if larger */
    double max_skew_ppb; /* no clock's rate is farther from 1, so two clocks drift apart at twice that: the only bound
                          * after a single measurement */
    bool recompute_intercept; /* the last point gives the offset, the earlier points the slope */
};

#define ORDO_WANDER_MINUTE_NS INT64_C(60000000000)
#define ORDO_WANDER_HOUR_NS INT64_C(3600000000000)

/** Declares how much the drift of a model's two clocks may change: each clock wanders by at most max_wander_ppb within
 * a minute and late_wander_ppb within any time, and no rate is farther from 1 than max_skew_ppb. */
void ordo_model_declare(struct ordo_model *model, double max_wander_ppb, double late_wander_ppb, double max_skew_ppb);

/** Returns the certain bounds of the drift at ref, wander included, per ns of the client's clock. */
struct ordo_rates ordo_model_drift(const struct ordo_model *model);

/** Returns the reference's model of itself, which is exact. */
struct ordo_model ordo_model_identity(int64_t granule_ns);

/** Fits a model to points in order of time (at least 1; 2 with recompute_intercept). Its ref is the instant of the last
 * point.
 *
 * The estimate is a least-squares line, or a constant if the 95% interval of the line's slope contains 0. The proof is
 * the drift interval of ordo_offset_drift, and all visits carried to ref with it; the estimate is kept inside the
 * proof. ORDO_E_MEASURE: the visits contradict each other or the declared wander; the model is unknown. */
int ordo_model_fit(struct ordo_model *model, const struct ordo_fit_point *points, int count,
                   const struct ordo_fit_options *options, struct ordo_error *error);

/** Merges client -> middle and middle -> reference into client -> reference, for the later of the two instants. */
struct ordo_model ordo_model_merge(const struct ordo_model *client, const struct ordo_model *middle);

/** Turns a measurement of a client against the clock of `middle`, whose model is known, into one against the middle's
 * own reference, to within the same granule. */
struct ordo_fit_point ordo_model_relay(const struct ordo_model *middle, const struct ordo_fit_point *point,
                                       int64_t granule_ns);

/** Keeps the estimates inside the proof. ORDO_E_MEASURE: the proof is empty, and the model becomes unknown. */
int ordo_model_settle(struct ordo_model *model, struct ordo_error *error);

/** Cuts the certain offset with one more direct measurement. The estimate continues on its line, kept inside the cut.
 * ORDO_E_MEASURE: the model and the measurement contradict each other. */
int ordo_model_confine(struct ordo_model *model, const struct ordo_fit_point *point, int64_t granule_ns,
                       struct ordo_error *error);

/** Like ordo_model_confine, and also sets the estimate of the offset, not of the drift, to the measurement. */
int ordo_model_adjust(struct ordo_model *model, const struct ordo_fit_point *point, int64_t granule_ns,
                      struct ordo_error *error);

/** Returns the certain interval of the offset when the client's clock shows local_ns, which may be before ref. */
struct ordo_interval ordo_model_offset_at(const struct ordo_model *model, int64_t local_ns);

/** Returns the reference's time when the client's clock was read as local_ns. */
struct ordo_global_time ordo_model_time(const struct ordo_model *model, int64_t local_ns);

#endif
