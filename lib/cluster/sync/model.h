/* A model of one clock, the client's, against another clock, the reference's: an estimate of the offset, and certain
 * bounds on the offset.
 *
 * Sign everywhere: offset = client - reference; global = t - (offset + slope (t - ref)). Absolute times and offsets are
 * int64 nanoseconds. Slopes are doubles, because a slope is only multiplied by a distance from ref. With a slope below
 * 1e-3, the rounding error of the product is below 1 ns for any distance up to a century.
 *
 * The certain bounds hold under two assumptions, which the caller declares:
 * - No clock steps.
 * - The averages of one clock's rate over two periods, however short, differ by at most w(T), if a time T contains both
 *   periods. w(T) is max_wander for T up to a minute, because an oscillator is steady while its temperature is steady;
 *   w(T) then grows linearly to late_wander at an hour, and stays there.
 * The wander of a model is that of two clocks, because one may speed up while the other slows down
 * (ordo_model_declare). A check (check.h) detects steps, and clocks that wander by more than declared. */
#ifndef ORDO_CLUSTER_SYNC_MODEL_H
#define ORDO_CLUSTER_SYNC_MODEL_H

#include <stdbool.h>

#include <ordo/global.h>

#include "base/error.h"
#include "cluster/offset/estimator.h"

/** A model without pointers and padding, so that its bytes can be sent to ranks of the same architecture. A model
 * against a clock that has a model itself is merged with it at once (ordo_model_merge): models are never nested. All
 * zero: unknown. */
struct ordo_model {
    int64_t known;                /* 0: unknown, and every interval is infinite */
    int64_t granule_ns;           /* granule of the client's clock */
    int64_t ref_ns;               /* the instant, on the client's clock, at which offset_ns, low_ns and high_ns hold */
    int64_t offset_ns;            /* estimate of the offset */
    int64_t low_ns, high_ns;      /* certain bounds: low_ns <= offset <= high_ns */
    double slope;                 /* estimate of the offset's change per ns of the client's clock */
    double drift_min, drift_max;  /* certain: some average of the drift is >= drift_min, and some is <= drift_max */
    double wander, late_wander;   /* w(T) for T up to a minute, and for T from an hour on, added up for all clocks that
                                   * contribute to the drift */
    int64_t span_ns;              /* upper bound on the length of an observed period, and on ref - its begin */
    double slope_low, slope_high; /* 95% interval of the fitted slope, for people; merged models keep the client's */
};

/** Returns the begin of a message about a contradiction. For coarse clocks, it names the likely cause: in a virtual
 * machine, nothing bounds the delay of a clock's tick. For other clocks, it is empty. */
static inline const char *ordo_model_late(int64_t granule_ns)
{
    return granule_ns >= 1000000 ? "a coarse clock was later than its tick, or " : "";
}

/** An interval of rates, as change of an offset per ns. */
struct ordo_rates {
    double least, most;
};

/** One measurement of an offset: an estimate, and a visit with certain bounds. All instants are on the client's
 * clock. */
struct ordo_fit_point {
    struct ordo_offset offset;
    struct ordo_visit visit;
};

struct ordo_fit_options {
    int64_t granule_ns;        /* the larger granule of the two clocks */
    int64_t client_granule_ns; /* granule of the client's clock */
    double max_wander_ppb;     /* declared wander of each clock within a minute (see above) */
    double late_wander_ppb;    /* declared wander of each clock from an hour on, if larger */
    double max_skew_ppb; /* declared bound on |rate - 1| of each clock. It bounds the drift of two clocks by about twice
                          * as much, which is the only bound after a single measurement */
    bool recompute_intercept; /* the last point gives the offset, the earlier points the slope */
};

#define ORDO_WANDER_MINUTE_NS INT64_C(60000000000)
#define ORDO_WANDER_HOUR_NS INT64_C(3600000000000)

/** Declares how much the drift of a model's two clocks may change. Each clock wanders by at most max_wander_ppb within
 * a minute, and by at most late_wander_ppb within any time; |rate - 1| of each clock is at most max_skew_ppb. */
void ordo_model_declare(struct ordo_model *model, double max_wander_ppb, double late_wander_ppb, double max_skew_ppb);

/** Returns the certain bounds of the drift at ref, including wander, per ns of the client's clock. */
struct ordo_rates ordo_model_drift(const struct ordo_model *model);

/** Returns the reference's model of itself, which is exact. */
struct ordo_model ordo_model_identity(int64_t granule_ns);

/** Fits a model to points in order of time (at least 1; 2 with recompute_intercept). Its ref is the instant of the last
 * point.
 *
 * The estimate is a least-squares line, or a constant if the 95% interval of the line's slope contains 0. The certain
 * bounds are the drift interval of ordo_offset_drift, and the intersection of all visits, which are carried to ref by
 * this drift. The estimate is kept inside the certain bounds.
 * 0: fitted
 * ORDO_E_SYSTEM: out of memory
 * ORDO_E_MEASURE: the visits contradict each other or the declared wander; the model is unknown */
int ordo_model_fit(struct ordo_model *model, const struct ordo_fit_point *points, int count,
                   const struct ordo_fit_options *options, struct ordo_error *error);

/** Merges the model of the client against the middle with the model of the middle against the reference. Returns the
 * model of the client against the reference. Its ref is the later of the two refs. */
struct ordo_model ordo_model_merge(const struct ordo_model *client, const struct ordo_model *middle);

/** Converts a measurement of a client against the clock of `middle`, whose model is known, to a measurement of the
 * client against the reference of `middle`, for the same granule. */
struct ordo_fit_point ordo_model_relay(const struct ordo_model *middle, const struct ordo_fit_point *point,
                                       int64_t granule_ns);

/** Moves the estimates into the certain bounds. ORDO_E_MEASURE: the bounds are empty; the model becomes unknown. */
int ordo_model_settle(struct ordo_model *model, struct ordo_error *error);

/** Narrows the certain offset by one more direct measurement. The estimate of the offset continues on its line, but is
 * kept inside the certain bounds. ORDO_E_MEASURE: the model and the measurement contradict each other. */
int ordo_model_confine(struct ordo_model *model, const struct ordo_fit_point *point, int64_t granule_ns,
                       struct ordo_error *error);

/** Does ordo_model_confine, and replaces the estimate of the offset by the measurement's. The estimate of the drift
 * stays. */
int ordo_model_adjust(struct ordo_model *model, const struct ordo_fit_point *point, int64_t granule_ns,
                      struct ordo_error *error);

/** Returns the certain interval of the offset when the client's clock shows local_ns, which may be before ref. */
struct ordo_interval ordo_model_offset_at(const struct ordo_model *model, int64_t local_ns);

/** Returns the reference's time when the client's clock was read as local_ns. */
struct ordo_global_time ordo_model_time(const struct ordo_model *model, int64_t local_ns);

#endif
