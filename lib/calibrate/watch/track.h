/* What is known of one pair of CPUs over time: where its offset is, and where it goes. Pure functions of visits. */
#ifndef ORDO_CALIBRATE_WATCH_TRACK_H
#define ORDO_CALIBRATE_WATCH_TRACK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/interval.h"
#include "base/visit.h"

enum { ORDO_TRACK_LEVELS = 4, ORDO_TRACK_SAMPLES = 24, ORDO_TRACK_BEST_OF = 8 };

/** Samples in the order in which they came, the oldest at `first` once the ring is full. */
struct ordo_track_level {
    struct ordo_visit samples[ORDO_TRACK_SAMPLES];
    int count, first;
    struct ordo_visit best; /* the narrowest of those that came since the level above got one */
    int since;
};

/** Level 0 has every visit; each level above has the narrowest of 8 of the level below, and so reaches 8 times as far
 * back, and is quieter. */
struct ordo_track {
    struct ordo_track_level levels[ORDO_TRACK_LEVELS];
};

void ordo_track_clear(struct ordo_track *track);
void ordo_track_add(struct ordo_track *track, const struct ordo_visit *visit);

/** Whether there is any visit. */
bool ordo_track_seen(const struct ordo_track *track);

/** Where the offset was (clock b less clock a): what the latest visits have in common; the latest alone where they have
 * nothing. There must be one. */
struct ordo_interval ordo_track_interval(const struct ordo_track *track);

/** A drift of clock b against clock a. */
struct ordo_trend {
    bool proved;              /* no rate of 0 fits the visits; else it is what a straight line through them says */
    double drift_ppb;         /* the most likely one */
    double low_ppb, high_ppb; /* proved bounds where `proved`, else the 95% interval of the line */
    double offset_ticks;      /* the likely offset at the latest visit */
    double left_s;            /* until the offset reaches the boundary if that goes on; 0: it has */
};

/** Whether the pair drifts. Each level is asked, and of each the latest 8 and all samples.
 *
 * Proved: ordo_offset_drift excludes 0. Likely: the middles of the visits lie on a straight line that has moved by an
 * eighth of the boundary, or moves outwards beyond a quarter of it, and in either case by 12 times what they scatter about
 * it. A step, such as that of a virtual CPU that moves to another core, is no drift, and never reaches more than 6 times: a line through a step at share p of the time moves by
 * 6 p (1 - p) of it and scatters by sqrt(p (1 - p) (1 - 3 p (1 - p))), the quotient of which is largest at p = 1/2. That
 * holds for visits at equal distances; so that a step between two clusters is none either, the line must be as straight
 * when the visits are numbered instead of timed. */
bool ordo_track_trend(const struct ordo_track *track, uint64_t boundary_ticks, uint64_t step_ticks, double tick_hz,
                      struct ordo_trend *trend);

/** Whether the middle of the latest visit lies beyond all that are kept of level 0, by a quarter of the boundary: then more
 * should be taken at once. */
bool ordo_track_suspect(const struct ordo_track *track, uint64_t boundary_ticks);

#endif
