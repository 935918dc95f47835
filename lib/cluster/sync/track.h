/* A rank's memory of its offset from one synchronisation, or check, to the next. Two certain offsets some time apart
 * bound the drift of the whole path to rank 0 by the widths of both over that time, however many links are between:
 * local arithmetic, without a message. Earlier bounds of the drift are kept, and an earlier claim must agree with the
 * new measurement. */
#ifndef ORDO_CLUSTER_SYNC_TRACK_H
#define ORDO_CLUSTER_SYNC_TRACK_H

#include "cluster/sync/model.h"

/** An offset against rank 0 when the local clock showed at_ns: estimate and proof. */
struct ordo_mark {
    int64_t at_ns, offset_ns, low_ns, high_ns;
};

/** All zero: nothing is remembered. */
struct ordo_offset_track {
    double max_wander_ppb, late_wander_ppb, max_skew_ppb; /* as last declared (ordo_offset_track_declare) */
    int count;
    struct ordo_mark marks[2]; /* the older first; a minute apart or more, and so young that the drift wandered little
                                * since */
    struct ordo_model last;    /* the current claim; none if not known */

    /** For ordo_offset_track_observe: the last synchronisation, and the average of the drift until then. */
    struct ordo_mark synchronised;
    struct ordo_rates average;
    double slope;
    int64_t since_ns;
    struct ordo_global_wander wander;
};

/** Declares the wander and skew of clocks (model.h), at any time, also in the past. If more is declared than before,
 * everything is forgotten, because it rests on too small a declaration. */
void ordo_offset_track_declare(struct ordo_offset_track *track, double max_wander_ppb, double late_wander_ppb,
                               double max_skew_ppb);

/** True if anything is declared: false after a track was emptied, until the next synchronisation. */
bool ordo_offset_track_is_declared(const struct ordo_offset_track *track);

/** Makes `model` the latest. Cuts its offset with the claim for now. Replaces its drift by the average since a mark, or
 * by the earlier drift, if this leaves a narrower offset a minute from now. ORDO_E_MEASURE: two of them contradict each
 * other; the model becomes unknown, and the track stays as it was. */
int ordo_offset_track_take(struct ordo_offset_track *track, struct ordo_model *model, struct ordo_error *error);

/** Call after a synchronisation has found `model`, before ordo_offset_track_take. Compares the average drift since the
 * last synchronisation with that of the period before. The average becomes the model's estimate if its bounds are
 * narrower than the model's own. */
void ordo_offset_track_observe(struct ordo_offset_track *track, struct ordo_model *model);

#endif
