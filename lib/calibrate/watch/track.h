/* The offset of one pair of CPUs over time, and its trend. Pure functions of visits. */
#ifndef ORDO_CALIBRATE_WATCH_TRACK_H
#define ORDO_CALIBRATE_WATCH_TRACK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/interval.h"
#include "base/visit.h"

enum { ORDO_TRACK_LEVELS = 4, ORDO_TRACK_SAMPLES = 24, ORDO_TRACK_BEST_OF = 8 };

/** Samples in the order of arrival, the oldest at `first` once the ring is full. */
struct ordo_track_level {
    struct ordo_visit samples[ORDO_TRACK_SAMPLES];
    int count, first;
    struct ordo_visit best; /* the narrowest since the last one that went to the level above */
    int since;
};

/** Level 0 has every visit. Each level above has the narrowest of 8 visits of the level below, so it reaches 8 times as
 * far back, with less noise. */
struct ordo_track {
    struct ordo_track_level levels[ORDO_TRACK_LEVELS];
};

void ordo_track_clear(struct ordo_track *track);
void ordo_track_add(struct ordo_track *track, const struct ordo_visit *visit);

/** True if there is any visit. */
bool ordo_track_seen(const struct ordo_track *track);

/** Returns the offset (clock b minus clock a): the intersection of the latest visits, or the latest alone if they have
 * nothing in common. There must be a visit. */
struct ordo_interval ordo_track_interval(const struct ordo_track *track);

/** A drift of clock b against clock a. */
struct ordo_trend {
    bool proved;              /* no rate of 0 fits the visits; else the rate is that of a straight line through them */
    double drift_ppb;         /* the most likely rate */
    double low_ppb, high_ppb; /* proved bounds if `proved`, else the 95% interval of the line */
    double offset_ticks;      /* the likely offset at the latest visit */
    double left_s;            /* until the offset reaches the boundary if the drift continues; 0: it has */
};

/** True if the pair drifts. Examines each level twice: its latest 8 samples, and all of its samples.
 *
 * Proved: ordo_offset_drift excludes 0. Likely: the middles of the visits fit a straight line that has moved by an
 * eighth of the boundary, or that moves outwards beyond a quarter of it; in both cases by at least 12 times the scatter
 * of the middles about the line.
 *
 * A step, such as that of a virtual CPU that moves to another core, is no drift, and never reaches more than 6 times
 * the scatter: a line through a step at share p of the time moves by 6 p (1 - p) of the step and scatters by
 * sqrt(p (1 - p) (1 - 3 p (1 - p))) of it; the quotient is largest at p = 1/2. This holds for visits at equal
 * distances. To exclude also a step between two clusters of visits, the line must be as straight if the visits are
 * numbered instead of timed. */
bool ordo_track_trend(const struct ordo_track *track, uint64_t boundary_ticks, uint64_t step_ticks, double tick_hz,
                      struct ordo_trend *trend);

/** True if the middle of the latest visit is outside the middles of all others in level 0 by a quarter of the
 * boundary: the caller should take more visits at once. */
bool ordo_track_suspect(const struct ordo_track *track, uint64_t boundary_ticks);

#endif
