/* Readings at uneven times as samples at even times, for an Allan deviation.
 *
 * The interval is the median of the first ORDO_LOG_LEARNED intervals, or of fewer if there are no more before a break.
 * Each sample is the linear interpolation of the two
 * readings around its time. If two readings are more than ORDO_LOG_GAP intervals apart, or their times do not ascend, the
 * samples begin anew, and no difference spans the gap. */
#ifndef ORDO_NET_LOG_GRID_H
#define ORDO_NET_LOG_GRID_H

#include <stdbool.h>

#include "base/octaves.h"

enum { ORDO_LOG_LEARNED = 32, ORDO_LOG_GAP = 3 };

struct ordo_log_grid {
    int64_t apart_ns; /* 0: not yet known */
    int64_t at_ns[ORDO_LOG_LEARNED + 1];
    double lead_ns[ORDO_LOG_LEARNED + 1];
    int kept;        /* readings in these arrays */
    int64_t next_ns; /* the time of the next sample */
    int64_t last_ns; /* the last reading */
    double last_lead_ns;
    bool has_last;
    struct ordo_octaves octaves;
};

/** Adds a reading. */
void ordo_log_grid_add(struct ordo_log_grid *grid, int64_t at_ns, double lead_ns);

/** Begins anew behind a step of the clock: no difference will span it. */
void ordo_log_grid_break(struct ordo_log_grid *grid);

/** Takes the readings that were kept to learn the interval, because no more will come. */
void ordo_log_grid_end(struct ordo_log_grid *grid);

#endif
