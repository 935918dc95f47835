/* What a rank remembers of its offset from one synchronisation, or check, to the next. Two offsets that are certain,
 * some time apart, bound the drift of the whole path to rank 0 by their widths over that time, however many links lie
 * between: local arithmetic, without a message. What was known of the drift goes on, and what was claimed before has to
 * agree with what is found now. */
#ifndef ORDO_CLUSTER_SYNC_TRACK_H
#define ORDO_CLUSTER_SYNC_TRACK_H

#include "cluster/sync/model.h"

/** An offset against rank 0 when the local clock showed at_ns: estimate, and proof. */
struct ordo_mark {
    int64_t at_ns, offset_ns, low_ns, high_ns;
};

/** All zero: nothing is remembered. */
struct ordo_offset_track {
    double max_wander_ppb, late_wander_ppb, max_skew_ppb; /* as ordo_offset_track_declare was last told */
    int count;
    struct ordo_mark marks[2]; /* the older first; a minute apart or more: young enough to have wandered by little */
    struct ordo_model last;    /* what is claimed; not known: nothing is */

    /** For ordo_offset_track_observe: the last synchronisation, and the average of the drift until then. */
    struct ordo_mark synchronised;
    struct ordo_rates average;
    double slope;
    int64_t since_ns;
    struct ordo_global_wander wander;
};

/** What clocks may do (model.h), at any time, also before. If that is more than was declared, all that is remembered rests on
 * too little, and is forgotten. */
void ordo_offset_track_declare(struct ordo_offset_track *track, double max_wander_ppb, double late_wander_ppb,
                               double max_skew_ppb);

/** Whether anything is declared: not of a track that was forgotten, until the next synchronisation. */
bool ordo_offset_track_is_declared(const struct ordo_offset_track *track);

/** Makes `model` the latest. Its offset is cut with what was claimed for now, and its drift becomes that since a mark,
 * or the one known before, where this leaves less a minute from now. ORDO_E_MEASURE where one contradicts the other; the
 * model is then not known, and the track as it was. */
int ordo_offset_track_take(struct ordo_offset_track *track, struct ordo_model *model, struct ordo_error *error);

/** A synchronisation has just found `model`: compares the average drift since the last one with that of the period
 * before, and makes it the model's estimate where it is known more narrowly than the model's own. Before
 * ordo_offset_track_take. */
void ordo_offset_track_observe(struct ordo_offset_track *track, struct ordo_model *model);

#endif
