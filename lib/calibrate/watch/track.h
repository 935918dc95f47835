/* The offset of one pair of CPUs over time, and its trend, computed from visits. All functions are pure. */
#ifndef ORDO_CALIBRATE_WATCH_TRACK_H
#define ORDO_CALIBRATE_WATCH_TRACK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/interval.h"
#include "base/visit.h"

enum { ORDO_TRACK_LEVELS = 4, ORDO_TRACK_SAMPLES = 24, ORDO_TRACK_BEST_OF = 8 };

/** A ring of samples in the order of arrival. If the ring is full, the oldest sample is at `first`. */
struct ordo_track_level {
    struct ordo_visit samples[ORDO_TRACK_SAMPLES];
    int count, first;
    struct ordo_visit best; /* the narrowest visit since the last one was passed to the level above */
    int since;
};

/** Level 0 contains every visit. Each higher level contains the narrowest of every 8 visits of the level below it, so
 * it covers 8 times as much time, with less noise. */
struct ordo_track {
    struct ordo_track_level levels[ORDO_TRACK_LEVELS];
};

void ordo_track_clear(struct ordo_track *track);
void ordo_track_add(struct ordo_track *track, const struct ordo_visit *visit);

/** True if there is at least one visit. */
bool ordo_track_seen(const struct ordo_track *track);

/** Returns the offset (clock b minus clock a): the intersection of the latest visits, or the interval of the latest
 * visit if that intersection is empty. There must be at least one visit. */
struct ordo_interval ordo_track_interval(const struct ordo_track *track);

/** A drift of clock b against clock a. */
struct ordo_trend {
    bool proved;      /* true: no drift of 0 fits the visits; false: the drift is that of a fitted straight line */
    double drift_ppb; /* the most likely rate */
    double low_ppb, high_ppb; /* proved bounds if `proved`, else the 95% interval of the line */
    double offset_ticks;      /* the likely offset at the latest visit */
    double left_s;            /* time until the offset reaches the boundary if the drift continues; 0: it has already */
};

/** True if the pair drifts. Examines each level twice: its latest 8 samples, and all of its samples.
 *
 * A drift is proved if ordo_offset_drift excludes 0. A drift is likely if the middles of the visits fit a straight line
 * that
 *
 * - changes by at least boundary / 8, or moves outwards and ends beyond boundary / 4; and
 * - changes by at least 12 times the scatter of the middles about the line.
 *
 * A step, as when a virtual CPU moves to another core, is not a drift, and changes the line by at most 6 times the
 * scatter: if a step of size 1 happens after the share p of the time, the line changes by 6 p (1 - p), the scatter is
 * sqrt(p (1 - p) (1 - 3 p (1 - p))), and their quotient is largest at p = 1/2. This holds for visits at equal
 * intervals. To exclude also a step between two clusters of visits, the same conditions must hold for a line over the
 * numbers of the visits instead of their times. */
bool ordo_track_trend(const struct ordo_track *track, uint64_t boundary_ticks, uint64_t step_ticks, double tick_hz,
                      struct ordo_trend *trend);

/** True if the middle of the latest visit is outside the range of the middles of all other visits in level 0 by more
 * than boundary / 4. The caller should then make more visits at once. */
bool ordo_track_suspect(const struct ordo_track *track, uint64_t boundary_ticks);

#endif
