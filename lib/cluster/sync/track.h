/* A rank's memory of its offset against rank 0, from one synchronisation or check to the next. Two intervals of the
 * offset with a time t between them bound the drift against rank 0 to within (width of the first + width of the second)
 * / t, however many links the path to rank 0 has. The track also keeps earlier bounds on the drift, and compares each
 * new measurement with the last model. Needs no messages. */
#ifndef ORDO_CLUSTER_SYNC_TRACK_H
#define ORDO_CLUSTER_SYNC_TRACK_H

#include "cluster/sync/model.h"

/** The offset against rank 0 when the local clock showed at_ns: an estimate, and certain bounds. */
struct ordo_mark {
    int64_t at_ns, offset_ns, low_ns, high_ns;
};

/** All zero: nothing is remembered. */
struct ordo_offset_track {
    double max_wander_ppb, late_wander_ppb, max_skew_ppb; /* last declaration (ordo_offset_track_declare) */
    int count;
    struct ordo_mark marks[2]; /* earlier offsets, the older first, at least a minute apart; young enough that the drift
                                * has wandered little since */
    struct ordo_model last;    /* the model that was taken last; unknown: none */

    /** State of ordo_offset_track_observe: the offset at the last synchronisation, and the drift in the period that
     * ended there: bounds, estimate, and begin of the period. `wander` is the result. */
    struct ordo_mark synchronised;
    struct ordo_rates average;
    double slope;
    int64_t since_ns;
    struct ordo_global_wander wander;
};

/** Declares the wander and skew of the clocks (model.h) for all times, including the past. If one of the values is
 * larger than before, everything is forgotten, because it was computed from too small a declaration. */
void ordo_offset_track_declare(struct ordo_offset_track *track, double max_wander_ppb, double late_wander_ppb,
                               double max_skew_ppb);

/** True if wander and skew are declared. False after a track was emptied, until the next synchronisation. */
bool ordo_offset_track_is_declared(const struct ordo_offset_track *track);

/** Narrows `model` by the track, and remembers it as the last model:
 * - its offset is intersected with the claim of the last model;
 * - its drift is replaced by the average drift since a mark, or by the drift of the last model, if the offset a minute
 *   from now is then narrower.
 * ORDO_E_MEASURE: the model and the track contradict each other; the model becomes unknown, and the track does not
 * change. */
int ordo_offset_track_take(struct ordo_offset_track *track, struct ordo_model *model, struct ordo_error *error);

/** Call when a synchronisation has found `model`, before ordo_offset_track_take. Computes the average drift since the
 * last synchronisation, and the wander: the difference between this average and the average of the period before. If
 * the bounds of the average are narrower than the model's bounds, the average becomes the model's estimated slope. */
void ordo_offset_track_observe(struct ordo_offset_track *track, struct ordo_model *model);

#endif
